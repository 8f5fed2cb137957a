// What is fed, the same for every contender: chunks, and the last line that has to be on screen at the end.
const words = 'compile resolve bundle transform minify cache render worker parse emit link test'.split(' ')
const word = (i) => words[i % words.length]

const plainLine = (i) =>
  `${String(i).padStart(7, '0')} info [worker-${i % 9}] ${word(i)} ${word(i * 5 + 2)} src/${word(i * 7)}/${word(i)}-${i % 991}.ts took ${(i * 31) % 900} ms`

const coloredLine = (i) =>
  plainLine(i)
    .split(' ')
    .map((text, k) => `\x1b[${31 + ((i + k) % 7)}m${text}\x1b[0m`)
    .join(' ')

/** `count` lines, `perChunk` in a chunk. */
function linesOf(count, perChunk, line = plainLine) {
  const chunks = []
  for (let from = 0; from < count; from += perChunk) {
    let chunk = ''
    for (let i = from; i < Math.min(count, from + perChunk); i++) chunk += `${line(i)}\n`
    chunks.push(chunk)
  }
  return { chunks, last: plainLine(count - 1) }
}

const bar = (i, count) => `downloading [${'#'.repeat(Math.floor((i / count) * 40)).padEnd(40, '.')}] ${i} of ${count}`

/** By name: what it is, and what makes it. `perSecond` is a steady feed, else all comes as fast as it is taken. */
export const workloads = {
  W1: { title: '10,000 chunks of a line', make: () => linesOf(10_000, 1) },
  W2: { title: '200,000 lines in 20,000 chunks', make: () => linesOf(200_000, 10) },
  W3: { title: '1,000,000 lines in 20,000 chunks', make: () => linesOf(1_000_000, 50) },
  W4: { title: '1,000 lines a second for 10 s', perSecond: 1_000, make: () => linesOf(10_000, 1) },
  W5: { title: 'one chunk of 20 MB', make: () => linesOf(270_000, 270_000) },
  W6: { title: '50,000 lines, a colour on each word', make: () => linesOf(50_000, 10, coloredLine) },
  W7: {
    title: '20,000 updates of a progress bar',
    make: () => ({
      chunks: [...Array.from({ length: 20_000 }, (_, i) => `\r${bar(i + 1, 20_000)}`), '\n'],
      last: bar(20_000, 20_000),
    }),
  },
  W8: {
    title: '200 logs, 10,000 lines in turn',
    logs: 200,
    make: () => ({ chunks: linesOf(10_000, 1).chunks, last: plainLine(9_800) }),
  },
}
