/** The forms that a counted word takes; `other` stands in for those that a language does not have. */
export type CountedForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Makes functions that write a number with its word: `counted('en')({ one: '# line', other: '# lines' })(2)`. */
export function counted(locale: string): (forms: CountedForms) => (count: number) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (forms) => (count) => (forms[rules.select(count)] ?? forms.other).replace('#', () => numbers.format(count))
}
