import fc from 'fast-check'
import { approvalRequest, approvalResponse, toolCall, toolResult, toolStatus } from './bus.js'

/**
 * What is said of a few calls and the requests about them, valid and in no order. `allDiffer`: no two calls and no two
 * requests are alike, so that which belong together does not depend on any order. All that is said of one call agrees
 * about what it is.
 */
export const busMessages = (allDiffer: boolean): fc.Arbitrary<readonly Record<string, any>[]> => {
  const index = fc.nat({ max: 4 })
  /** The sub-agent's calls are those from 3 on; the last one asks under a session of which no parent is known. */
  const traits = (i: number) => {
    const session = i < 3 ? 's-1' : 'sub'
    const parent = i === 3 ? 'call-0' : undefined
    const args = { command: allDiffer ? `ls ${i}` : `ls ${i % 2}` }
    return { session, parent, args, ids: { toolCallID: `call-${i}`, sessionID: session } }
  }
  const result = fc.record({ display: fc.constantFrom('a', 0, null), isError: fc.boolean() })
  const status = fc.constantFrom('pending', 'running', 'running', 'done', 'error')
  const answer = fc.record({ approved: fc.boolean(), scope: fc.constantFrom(undefined, undefined, 'once', 'session') })
  const call = index.map((i) => {
    const { ids, parent, args } = traits(i)
    return toolCall({ ...ids, args, display: `line ${i}`, parentToolCallID: parent })
  })
  const request = fc.tuple(index, fc.boolean()).map(([i, isDirect]) => {
    const { session, args } = traits(i)
    const asks =
      session === 'sub' && !isDirect ? { sessionID: 's-1', subagentSessionID: 'sub' } : { sessionID: session }
    return approvalRequest({ ...asks, args, correlationID: `r-${i}` })
  })
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: call },
      { weight: 2, arbitrary: fc.tuple(index, status).map(([i, word]) => toolStatus(word, traits(i).ids)) },
      { weight: 3, arbitrary: request },
      {
        weight: 2,
        arbitrary: fc
          .tuple(index, answer)
          .map(([i, { approved, scope }]) => approvalResponse(approved, { correlationID: `r-${i}`, scope })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(index, result)
          .map(([i, { display, ...more }]) => toolResult(display, { ...traits(i).ids, ...more })),
      },
    ),
    { maxLength: 24 },
  )
}
