import fc from 'fast-check'

// A property that has held for this long has held: a slow machine tries fewer examples instead of failing by timeout.
// PROPERTY_MS=60000 tries longer.
fc.configureGlobal({
  interruptAfterTimeLimit: Number(process.env.PROPERTY_MS ?? 4_000),
  markInterruptAsFailure: false,
})
