// @ts-check
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { formatSSEEvent, Role, SSE_HEADERS, TaskState } from '@a2a-js/sdk'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'

/** @typedef {ReturnType<typeof createTurn>} Turn */

/** How much a request may hold, in characters. */
const maxRequest = 1024 * 1024

/**
 * A small A2A agent on loopback, made with the official SDK: JSON-RPC at its address, in versions 1 and 0.3. What it
 * does with a message is the host's: `act` is called with the message's text and what the turn can say.
 * @param {{ act: (text: string, turn: Turn) => Promise<void> }} options
 */
export async function createA2aAgent({ act }) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const streams = new Set()
  /** @type {Map<string, Turn>} */
  const turns = new Map()
  const http = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise((resolve) => http.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (http.address())
  const url = `http://127.0.0.1:${port}/`
  const handler = new DefaultRequestHandler(agentCard(url), new InMemoryTaskStore(), {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const turn = createTurn({ taskId, contextId, publish: (event) => bus.publish(event) })
      turns.set(taskId, turn)
      const status = statusOf(TaskState.TASK_STATE_SUBMITTED)
      // A turn begins with its task, also one that goes on with a task that waited.
      const begun = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined }
      bus.publish(AgentEvent.task(task ?? begun))
      const [part] = userMessage.parts
      await act(part?.content?.$case === 'text' ? part.content.value : '', turn)
    },
    async cancelTask(taskId) {
      turns.get(taskId)?.ends('CANCELED', 'Canceled on request.')
    },
  })
  const current = new JsonRpcTransportHandler(handler)
  const legacy = new LegacyJsonRpcTransportHandler(handler)

  return {
    url,
    card: agentCard(url),
    /** How many streams are open. */
    streams: () => streams.size,
    /** Breaks the connection of every open stream; what the agent does goes on. */
    cut() {
      for (const response of streams) response.destroy()
      streams.clear()
    },
    /** @returns {Promise<void>} */
    close() {
      http.closeAllConnections()
      return new Promise((resolve) => http.close(() => resolve()))
    },
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function answer(request, response) {
    // Agents are called by programs; no page in a browser has business here.
    if (request.method !== 'POST' || request.headers.origin !== undefined) {
      response.writeHead(403).end()
      return
    }
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk
      if (body.length > maxRequest) throw new Error('too large')
    }
    const version = request.headers['a2a-version']?.toString() ?? '0.3'
    const context = new ServerCallContext({ requestedVersion: version })
    const result = await (version === '0.3' ? legacy : current).handle(body, context)
    if (Symbol.asyncIterator in result) await stream(result, response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  }

  /** @param {AsyncGenerator} events @param {import('node:http').ServerResponse} response */
  async function stream(events, response) {
    /** @type {IteratorResult<unknown, unknown>} */
    let event
    try {
      event = await events.next()
    } catch (error) {
      // What can not be streamed at all, as a task that has ended, is answered without a stream.
      const refusal = { jsonrpc: '2.0', id: null, error: JsonRpcTransportHandler.mapToJSONRPCError(error) }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
      return
    }
    streams.add(response)
    response.once('close', () => streams.delete(response))
    response.writeHead(200, SSE_HEADERS).flushHeaders()
    for (; !event.done; event = await events.next()) response.write(formatSSEEvent(event.value))
    response.end()
  }
}

/** @param {string} url @returns {import('@a2a-js/sdk').AgentCard} */
function agentCard(url) {
  const interfaces = ['1.0', '0.3'].map((protocolVersion) => ({
    url,
    protocolBinding: 'JSONRPC',
    tenant: '',
    protocolVersion,
  }))
  return {
    name: 'Rates desk',
    description: 'Reads tables of exchange rates.',
    supportedInterfaces: interfaces,
    provider: undefined,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  }
}

/** @param {TaskState} state @param {import('@a2a-js/sdk').Message} [message] */
function statusOf(state, message) {
  return { state, message, timestamp: new Date().toISOString() }
}

/**
 * What an agent can say in one turn. Envelopes are numbered here, from 41 on, so that nobody relies on a beginning.
 * @param {{ taskId: string, contextId: string, publish: (event: import('@a2a-js/sdk/server').AgentExecutionEvent) => void }} options
 */
function createTurn({ taskId, contextId, publish }) {
  let nextSeq = 41
  /** @param {string} text @param {object} [envelope] @returns {import('@a2a-js/sdk').Part} */
  const partOf = (text, envelope) => ({
    content: { $case: 'text', value: text },
    metadata: envelope && { tfrs: JSON.stringify(envelope) },
    filename: '',
    mediaType: 'text/plain',
  })
  /** @param {TaskState} state @param {import('@a2a-js/sdk').Part} [part] */
  const status = (state, part) => {
    const message = part && {
      messageId: randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    }
    publish(AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state, message), metadata: undefined }))
  }
  return {
    /**
     * A progress envelope, with a text for those who do not read envelopes.
     * @param {'thinking' | 'tool_call' | 'tool_output_append' | 'text' | 'error'} kind @param {object} payload
     * @param {{ text?: string, streamKey?: string, status?: 'running' | 'done' | 'aborted' }} [more]
     */
    block(kind, payload, { text = kind, streamKey, status: mark = 'running' } = {}) {
      const envelope = { v: 1, kind, ...(streamKey && { streamKey }), seq: nextSeq++, status: mark, payload }
      status(TaskState.TASK_STATE_WORKING, partOf(text, envelope))
    },
    /** Leaves a number out, as senders do that drop a block. */
    skips: () => void nextSeq++,
    /** Plain progress. @param {string} text */
    says: (text) => status(TaskState.TASK_STATE_WORKING, partOf(text)),
    /** @param {'INPUT_REQUIRED' | 'AUTH_REQUIRED'} state @param {string} text */
    waits: (state, text) => status(TaskState[`TASK_STATE_${state}`], partOf(text)),
    /** @param {'COMPLETED' | 'FAILED' | 'CANCELED' | 'REJECTED'} state @param {string} [text] */
    ends: (state, text) => status(TaskState[`TASK_STATE_${state}`], text === undefined ? undefined : partOf(text)),
    /** All of an artifact, or its next piece. @param {string} name @param {string} text */
    makes(name, text, { append = false, lastChunk = false } = {}) {
      const artifact = {
        artifactId: `artifact-${name}`,
        name,
        description: '',
        parts: [{ ...partOf(text), filename: name }],
        metadata: undefined,
        extensions: [],
      }
      publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata: undefined }))
    },
  }
}
