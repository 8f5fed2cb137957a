/**
 * What can be wrong with a message. A problem is counted and reported, and costs nothing but what it names.
 *
 * - `not_an_object`: the message, or an entry of a list of messages, is not an object.
 * - `unreadable`: reading the message threw (a getter, a proxy); it is left out.
 * - `missing_event_id`: a snapshot without `eventId`; it is left out.
 * - `missing_call_id`: a frame without `callId`: its blocks are only counted (A4); any other message: it is left out.
 * - `missing_approval_id`: a request for a decision, or its answer, without `correlationID`; it is left out.
 * - `missing_task_id`: a frame without `taskId`; it counts for a task of its own, with an empty id. A message of A2A that
 *   names no task and is about no known call; it is left out.
 * - `invalid_version`, `invalid_ts`, `invalid_seq`: a field of the wrong type; read as if it were absent.
 * - `invalid_number`: a count, a size, a length of time or an exit code that can not be meant: below zero, above the safe
 *   integers, or no number; read as if it were absent.
 * - `invalid_payload`: a block whose payload lacks what its kind needs, or an envelope that can not be parsed; it is left
 *   out, and the text beside it shown if there is one (B2).
 * - `invalid_arguments`: arguments that are neither text nor an object; left out.
 * - `unknown_state`, `unknown_status`: a word that is not known; read as running, in a result as unknown.
 * - `unknown_kind`: a block of a kind that is not known; shown if it has a text, else left out (B3). A wrapped message
 *   that does not say what it is; left out.
 * - `not_visible`: an event of a run that is not meant for the user; dropped before anything of it is kept (E3).
 * - `missing_run_id`: an event of a run that does not name it; it is left out.
 * - `newer_frame`, `newer_envelope`: a version that is newer than we read (A3).
 * - `chunk_too_large`: an output chunk over 64 KB; a line says so in its place (B5).
 * - `text_cut`, `value_cut`: a text, or a value's depth or size, over its limit; the rest is kept (H3).
 * - `conflicting_block`, `conflicting_step`, `conflicting_end`, `conflicting_outcome`: two contents under one identity; one is shown.
 * - `conflicting_arguments`: two texts for the arguments of one call, neither the beginning of the other (C2).
 * - `conflicting_request`: two requests for different things under one id; one is shown (D4).
 * - `conflicting_answer`: two different answers to one request; shown as such (D4).
 * - `answer_ignored`: an answer of the host's that was not sent, since the request is not known, is not open or can not
 *   be approved yet.
 * - `answer_failed`: an answer could not be sent; the request is open again and says why.
 * - `ambiguous_alias`: two calls claim the same other id; it is ignored.
 * - `block_after_end`: a block behind its task's end; it is not shown (A7).
 * - `block_refused`: a block before the oldest one kept (H3).
 * - `call_forgotten`: a message for a call that is no longer kept (H3).
 * - `too_many`: a new task, artifact, request for a decision or end without a call, past the limit on them; it is left
 *   out, or the oldest one is.
 * - `resume_failed`: a request for the missed events of a run had no answer in time, or one that says nothing (E6).
 * - `host_callback_failed`: a callback of the host threw; the stream goes on.
 */
export type ProblemKind =
  | 'not_an_object'
  | 'unreadable'
  | 'missing_event_id'
  | 'missing_call_id'
  | 'missing_approval_id'
  | 'missing_task_id'
  | 'invalid_version'
  | 'invalid_ts'
  | 'invalid_seq'
  | 'invalid_number'
  | 'invalid_payload'
  | 'invalid_arguments'
  | 'unknown_state'
  | 'unknown_status'
  | 'unknown_kind'
  | 'not_visible'
  | 'missing_run_id'
  | 'newer_frame'
  | 'newer_envelope'
  | 'chunk_too_large'
  | 'text_cut'
  | 'value_cut'
  | 'conflicting_block'
  | 'conflicting_step'
  | 'conflicting_end'
  | 'conflicting_outcome'
  | 'conflicting_arguments'
  | 'conflicting_request'
  | 'conflicting_answer'
  | 'answer_ignored'
  | 'answer_failed'
  | 'ambiguous_alias'
  | 'block_after_end'
  | 'block_refused'
  | 'call_forgotten'
  | 'too_many'
  | 'resume_failed'
  | 'host_callback_failed'

/** Something wrong with what came in, or with a host's callback. */
export interface Problem {
  readonly kind: ProblemKind
  /** Which call it is about, where that is known. */
  readonly callId?: string
  /** What was found, in a few words for a developer; never the content of a message. */
  readonly detail?: string
}
