type Message = Record<string, any>

/** A gateway that has the whole log of a run: it answers a resume with what comes after the last number without a gap. */
export function resumingGateway(log: readonly Message[]) {
  return {
    /** The answer to a reader who has heard those events, and asks from the last one before the first that is missing. */
    answer(heard: readonly Message[]): Message {
      const first = log.findIndex((event) => !heard.includes(event))
      const events = first < 0 ? [] : log.slice(first)
      return { run_id: 'run-1', events, next_seq: log.at(-1)?.seq }
    },
  }
}
