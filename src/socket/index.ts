/**
 * The public entry `tool-call-detail/socket`: a store's connection to a Socket.IO server. It is the only part of the
 * library that needs the package socket.io-client.
 */
export {
  type ChatSocket,
  type ConnectionStatus,
  type ConnectSocketOptions,
  connectSocket,
  type SocketConnection,
} from './connectSocket.js'
export type { ResumeLimits, ResumeRequest } from './runResume.js'
