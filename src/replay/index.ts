export {
  createPlayer,
  type Player,
  type PlayerOptions,
  type PlayerSpeed,
  type PlayerState,
  playerSpeeds,
} from './createPlayer.js'
export { parseRecording } from './parseRecording.js'
export type { Recording, RecordingHeader, RecordingProblem, RecordingProblemKind } from './recording.js'
export { type Recorder, type RecordingSink, type RecordOptions, recordTo } from './recordTo.js'
