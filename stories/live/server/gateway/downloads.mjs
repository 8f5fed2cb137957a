// @ts-check
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isLoopback } from '../loopback.mjs'

/** @typedef {import('./runScenarios.mjs').RunFile} RunFile */

/**
 * The files that runs have made, behind links that hold for a short time (E9): events name an artifact by its id only,
 * and who wants it asks for a link.
 *
 * - `GET /artifacts/ID/link`: `{ url, expires_at }`, a link that holds for so long.
 * - `GET /files/ID?until=…&signature=…`: the file; 410 when the link has expired, 403 when it was not made here.
 * @param {string} folder
 * @param {object} [options]
 * @param {number} [options.linkMs] How long a link holds. Default: 60 s.
 */
export function createDownloads(folder, { linkMs = 60_000 } = {}) {
  mkdirSync(folder, { recursive: true })
  const secret = randomBytes(32)

  return {
    /** @param {RunFile} file */
    save(file) {
      writeFileSync(pathOf(file.id), JSON.stringify(file))
    },

    /**
     * Answers the requests above, and all others with 404.
     * @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response
     */
    handle(request, response) {
      const { origin, host } = request.headers
      if (origin && isLoopback(origin)) response.setHeader('access-control-allow-origin', origin)
      const url = new URL(request.url ?? '/', `http://${host}`)
      const [, kind, id = '', rest] = url.pathname.split('/')
      if (!/^[\w-]+$/.test(id) || !existsSync(pathOf(id))) return end(404)
      if (kind === 'artifacts' && rest === 'link') {
        const until = Date.now() + linkMs
        const link = new URL(`/files/${id}?until=${until}&signature=${sign(id, until)}`, url)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ url: link.href, expires_at: new Date(until).toISOString() }))
      } else if (kind === 'files') {
        const until = Number(url.searchParams.get('until'))
        if (!isSigned(id, until, url.searchParams.get('signature') ?? '')) return end(403)
        if (Date.now() > until) return end(410)
        /** @type {RunFile} */
        const { name, mediaType, text } = JSON.parse(readFileSync(pathOf(id), 'utf8'))
        response.setHeader('content-type', `${mediaType}; charset=utf-8`)
        response.setHeader('content-disposition', `attachment; filename="${name}"`)
        response.end(text)
      } else end(404)

      /** @param {number} status */
      function end(status) {
        response.statusCode = status
        response.end()
      }
    },
  }

  /** @param {string} id */
  function pathOf(id) {
    return path.join(folder, `${id}.json`)
  }

  /** @param {string} id @param {number} until */
  function sign(id, until) {
    return createHmac('sha256', secret).update(`${id} ${until}`).digest('hex')
  }

  /** @param {string} id @param {number} until @param {string} signature */
  function isSigned(id, until, signature) {
    const expected = Buffer.from(sign(id, until))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
