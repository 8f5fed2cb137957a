/** The forms that a counted word takes; `other` stands in for those that a language does not have. */
export type CountedForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Makes functions that write a number with its word: `counted('en')({ one: '# line', other: '# lines' })(2)`. */
export function counted(locale: string): (forms: CountedForms) => (count: number) => string {
  // Made when they are needed: they take some milliseconds each, and most languages are never used.
  let made: { readonly rules: Intl.PluralRules; readonly numbers: Intl.NumberFormat } | undefined
  return (forms) => (count) => {
    made ??= { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) }
    const { rules, numbers } = made
    return (forms[rules.select(count)] ?? forms.other).replace('#', () => numbers.format(count))
  }
}
