/**
 * What a function that carries answers rejects with when it can not tell whether the answer has arrived: then only the same
 * one can be given again, so that the other side never gets two different ones (D4).
 */
export class UnconfirmedAnswer extends Error {}
