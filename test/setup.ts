import fc from 'fast-check'

// A property that has held for this long has held: a slow machine tries fewer examples instead of failing by timeout.
// PROPERTY_MS=60000 tries longer. CI tries the same examples each time (PROPERTY_SEED), so that it fails only for a change;
// everybody else tries others.
fc.configureGlobal({
  ...(process.env.PROPERTY_SEED !== undefined && { seed: Number(process.env.PROPERTY_SEED) }),
  interruptAfterTimeLimit: Number(process.env.PROPERTY_MS ?? 4_000),
  markInterruptAsFailure: false,
})
