// @ts-check
import { Bus } from './bus.mjs'

/** @typedef {import('./bus.mjs').BusCall} BusCall */
/** @typedef {import('./scenarios.mjs').Scenario} Scenario */

const green = (/** @type {string} */ text) => `\x1b[32m${text}\x1b[0m`
const red = (/** @type {string} */ text) => `\x1b[31m${text}\x1b[0m`
const dim = (/** @type {string} */ text) => `\x1b[2m${text}\x1b[0m`

/** What can happen on an agent's bus (D1 to D7). @type {readonly Scenario[]} */
export const busScenarios = [
  {
    name: 'approval',
    title: 'Ask before it runs',
    description: 'A command waits for your decision. Allowed, it runs in a terminal; denied, it never does.',
    write: onBus((bus) => {
      bus.say('user', 'Publish the release candidate to the internal registry.')
      bus.wait(400)
      const call = bus.call('publish', 'shell', { command: 'npm publish --tag next' }, 'npm publish --tag next')
      bus.wait(300)
      if (isAllowed(bus, call)) {
        bus.runs(call, 60)
        bus.opens(call, 'npm publish --tag next', 'Publish the release candidate')
        bus.prints(call, [
          `${dim('npm notice')} tool-shelf@4.2.0-rc.1\n`,
          `${dim('npm notice')} 38 files, 212.4 kB\n`,
          `${dim('npm notice')} Publishing to http://registry.internal with tag next\n`,
          `${green('+ tool-shelf@4.2.0-rc.1')}\n`,
        ])
        bus.exits(call, 0)
        bus.returns(call, 'Published tool-shelf@4.2.0-rc.1 with the tag next.')
        bus.wait(300)
        bus.say('agent', 'It is out, as tool-shelf@next.')
      } else {
        bus.wait(300)
        bus.say('agent', 'All right, nothing was published.')
      }
    }),
  },
  {
    name: 'same-tool',
    title: 'Three requests for one tool',
    description: 'Three calls of one tool ask at once, two of them with the same arguments: no answer is mixed up.',
    write: onBus((bus) => {
      bus.say('user', 'The API hangs. Restart it, then the worker, then the API once more.')
      bus.wait(400)
      const calls = ['api', 'worker', 'api'].map((service, i) =>
        bus.call(`restart-${i + 1}`, 'restart_service', { service }, `restart ${service}`),
      )
      bus.wait(300)
      const buses = calls.map((call, i) => {
        const fork = bus.fork()
        fork.wait(i * 20)
        if (!isAllowed(fork, call)) return fork
        fork.runs(call)
        fork.wait(900)
        fork.returns(call, `Restarted as instance ${i + 1}.`)
        return fork
      })
      bus.join(...buses)
      bus.wait(300)
      bus.say('agent', 'That is all of them.')
    }),
  },
  {
    name: 'sub-agent',
    title: 'A sub-agent asks',
    description: 'Calls under calls, one heard of before its parent; a tool of an MCP server asks through the parent.',
    write: onBus((bus) => {
      bus.say('user', 'Bring staging up to the new version.')
      bus.wait(400)
      const delegate = bus.plan('delegate', 'delegate', { agent: 'deployer', task: 'Bring staging up to 4.2.' })
      const deployer = bus.subAgent(delegate, 'deployer')
      const reads = deployer.call('manifest', 'read_file', { path: 'deploy/staging.yaml' }, 'read deploy/staging.yaml')
      bus.wait(250)
      bus.announces(delegate, 'Ask the deployer to bring staging up to 4.2')
      bus.runs(delegate)
      deployer.wait(700)
      deployer.runs(reads)
      deployer.returns(reads, 'image: tool-shelf:4.1.3\nreplicas: 2')
      deployer.wait(300)

      const checks = deployer.call('checks', 'delegate', { agent: 'checker', task: 'Is 4.2 fit for staging?' })
      deployer.runs(checks)
      const checker = deployer.subAgent(checks, 'checker')
      checker.wait(300)
      const scan = checker.call('scan', 'scan_image', { image: 'tool-shelf:4.2.0' }, 'scan tool-shelf:4.2.0')
      checker.runs(scan)
      const smoke = checker.call('smoke', 'shell', { command: 'make smoke' }, 'make smoke')
      checker.runs(smoke)
      checker.opens(smoke, 'make smoke')
      checker.prints(smoke, ['GET /health  200\n', 'GET /tools   200\n', `${red('GET /beta    404')}\n`], 300)
      checker.exits(smoke, 2)
      checker.returns(smoke, 'One of three requests failed: /beta is not there.', true)
      checker.returns(scan, 'No known vulnerabilities.')
      checker.wait(300)
      deployer.join(checker)
      deployer.returns(checks, 'Fit, but /beta is gone.')
      deployer.wait(300)

      const apply = deployer.call(
        'apply',
        'apply_manifest',
        { cluster: 'staging', path: 'deploy/staging.yaml', set: { image: 'tool-shelf:4.2.0' } },
        'apply deploy/staging.yaml',
        { serverName: 'kubernetes' },
      )
      const allowed = isAllowed(deployer, apply)
      if (allowed) {
        deployer.runs(apply)
        deployer.wait(1_200)
        deployer.returns(apply, 'deployment.apps/tool-shelf configured')
      }
      bus.join(deployer)
      bus.wait(400)
      bus.returns(delegate, allowed ? 'Staging runs 4.2.0.' : 'Staging still runs 4.1.3.', !allowed)
      bus.wait(300)
      bus.say('agent', allowed ? 'Staging is on 4.2, without /beta.' : 'I left staging as it was.')
    }),
  },
  {
    name: 'terminal',
    title: 'A command with live output',
    description: 'The output comes in as it is printed, then the exit code; the last of it after the result.',
    write: onBus((bus) => {
      bus.say('user', 'Run the tests.')
      bus.wait(400)
      const call = bus.call('test', 'shell', { command: 'npm test' }, 'npm test')
      bus.runs(call, 120)
      bus.opens(call, 'npm test', 'Run all tests')
      const files = ['cart', 'checkout', 'currency', 'invoice', 'login', 'search', 'session', 'theme']
      bus.prints(
        call,
        files.map(
          (file, i) =>
            `${file === 'invoice' ? red('✗') : green('✓')} test/${file}.test.ts ${dim(`${40 + i * 17} ms`)}\n`,
        ),
        450,
      )
      bus.prints(call, [`\n${red('1 failed')}, 7 passed\n`], 300)
      bus.returns(call, 'npm test failed: 1 of 8 files.', true)
      bus.prints(call, [`${dim('Report: test/report.html')}\n`], 150)
      bus.exits(call, 1)
      bus.wait(300)
      bus.say('agent', 'One file fails: test/invoice.test.ts.')
    }),
  },
  {
    name: 'instant-commands',
    title: 'Commands that are over at once',
    description: 'Five commands, each over in a moment: nothing flashes open and shut.',
    write: onBus((bus) => {
      bus.say('user', 'What is this repository?')
      bus.wait(400)
      const commands = /** @type {const} */ ([
        ['git branch --show-current', 'main\n'],
        ['git rev-parse --short HEAD', '8c1f0de\n'],
        ['git status --short', ''],
        ['wc -l package.json', '131 package.json\n'],
        ['node --version', 'v20.20.2\n'],
      ])
      for (const [i, [command, output]] of commands.entries()) {
        const call = bus.call(`command-${i + 1}`, 'shell', { command }, command)
        bus.runs(call)
        bus.opens(call, command)
        if (output) bus.prints(call, [output], 10)
        bus.wait(20)
        bus.exits(call, 0)
        bus.returns(call, output.trim())
        bus.wait(350)
      }
      bus.say('agent', 'A clean tree on main, at 8c1f0de.')
    }),
  },
  {
    name: 'several-terminals',
    title: 'Several terminals of one call',
    description: 'One call runs three commands; the last does not come to its end and is killed by a signal.',
    write: onBus((bus) => {
      bus.say('user', 'Install, build, and serve it.')
      bus.wait(400)
      const call = bus.call('serve', 'run_commands', { commands: ['npm ci', 'npm run build', 'npm run serve'] })
      bus.runs(call)
      bus.opens(call, 'npm ci', 'Install')
      bus.prints(call, ['added 412 packages in 3s\n'], 900)
      bus.exits(call, 0)
      bus.wait(300)
      bus.opens(call, 'npm run build', 'Build')
      bus.prints(call, ['transforming…\r', '\x1b[K✓ 38 modules\n', 'dist/index.js  62.10 kB\n'], 500)
      bus.exits(call, 0)
      bus.wait(300)
      bus.opens(call, 'npm run serve', 'Serve')
      bus.prints(call, ['Local: http://localhost:4173/\n', 'GET /  200\n', 'GET /favicon.ico  404\n'], 700)
      bus.wait(600)
      bus.isKilled(call, 'SIGTERM')
      bus.returns(call, 'Served for two requests, then stopped.')
      bus.wait(300)
      bus.say('agent', 'It works; I have stopped the server again.')
    }),
  },
  {
    name: 'overdue',
    title: 'Longer than its time',
    description: 'Five seconds are given, and it takes twelve: overdue, which is not failed.',
    write: onBus((bus) => {
      bus.say('user', 'How large is the archive?')
      bus.wait(400)
      const call = bus.call('size', 'measure', { path: '/archive' }, 'measure /archive')
      bus.wait(300)
      bus.runs(call, 5)
      bus.wait(12_000)
      bus.returns(call, { bytes: 48_211_004_882, files: 91_204 })
      bus.wait(300)
      bus.say('agent', '48 GB. It is a slow disk.')
    }),
  },
  {
    name: 'session-ends',
    title: 'The session ends in between',
    description: 'One call runs and one waits for you when the session ends: nothing more will be heard of either.',
    write: onBus((bus) => {
      bus.say('user', 'Mirror the bucket, and delete what is left over.')
      bus.wait(400)
      const mirror = bus.call('mirror', 'shell', { command: 'sync-bucket --all' }, 'sync-bucket --all')
      bus.runs(mirror)
      bus.opens(mirror, 'sync-bucket --all', 'Mirror the bucket')
      const remove = bus.call('remove', 'delete_objects', { prefix: 'tmp/' }, 'delete tmp/*')
      const asking = bus.fork()
      if (isAllowed(asking, remove)) asking.runs(remove)
      bus.prints(
        mirror,
        Array.from({ length: 10 }, (_, i) => `copied ${(i + 1) * 120} objects\n`),
        800,
      )
      bus.ends()
    }),
  },
  {
    name: 'parallel-on-bus',
    title: 'Eight calls at a time',
    description: 'Calls that run in parallel are one row of the conversation; one fails, and one asks you.',
    write: onBus((bus) => {
      bus.say('user', 'Check all packages for licences that we may not use.')
      bus.wait(400)
      const names = ['api', 'app', 'auth', 'billing', 'docs', 'jobs', 'mail', 'shared']
      const calls = names.map((name) =>
        bus.call(`licences-${name}`, 'check_licences', { package: name }, `check packages/${name}`),
      )
      const fetch = bus.call('fetch', 'http_get', { url: 'https://licences.example/allowed.json' }, 'GET allowed.json')
      const buses = calls.map((call, i) => {
        const fork = bus.fork()
        fork.wait(150 * i)
        fork.runs(call)
        fork.wait(1_200 + ((i * 5) % 8) * 400)
        if (names[i] === 'mail') fork.returns(call, 'packages/mail has no package.json.', true)
        else fork.returns(call, `${12 + i * 9} dependencies, all allowed.`)
        return fork
      })
      const asking = bus.fork()
      asking.wait(900)
      if (isAllowed(asking, fetch)) {
        asking.runs(fetch)
        asking.wait(500)
        asking.returns(fetch, { allowed: ['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause'] })
      }
      bus.join(...buses, asking)
      bus.wait(300)
      bus.say('agent', 'Seven of eight packages are fine; packages/mail could not be read.')
    }),
  },
  {
    name: 'expiring',
    title: 'A question with a time limit',
    description: 'The request expires after fifteen seconds: then it leaves the queue by itself.',
    write: onBus((bus) => {
      bus.say('user', 'Open the maintenance window.')
      bus.wait(400)
      const call = bus.call('window', 'open_window', { from: '22:00', minutes: 30 }, 'open a window of 30 minutes')
      if (isAllowed(bus, call, { expiresMs: 15_000 })) {
        bus.runs(call)
        bus.wait(500)
        bus.returns(call, 'Open from 22:00 to 22:30.')
      }
    }),
  },
  {
    name: 'refused-answer',
    title: 'An answer that is refused',
    description: 'The server refuses your first answer and says why; the second it takes, and is slow to confirm it.',
    write: onBus((bus) => {
      bus.say('user', 'Rotate the signing key.')
      bus.wait(400)
      const call = bus.call('rotate', 'rotate_key', { key: 'signing' }, 'rotate the signing key')
      if (isAllowed(bus, call, { trouble: 'refused', confirmMs: 4_000 })) {
        bus.runs(call)
        bus.wait(500)
        bus.returns(call, 'The key signing-2026-12 is in use.')
      }
    }),
  },
  {
    name: 'answer-lost',
    title: 'The server dies with your answer',
    description: 'Once before it has noted the answer, once after: it is sent again, and counts once.',
    write: onBus((bus) => {
      bus.say('user', 'Restart both databases, one after the other.')
      bus.wait(400)
      for (const [name, trouble] of /** @type {const} */ ([
        ['orders', 'crash-before'],
        ['users', 'crash-after'],
      ])) {
        const call = bus.call(name, 'restart_database', { database: name }, `restart the database ${name}`)
        if (isAllowed(bus, call, { trouble })) {
          bus.runs(call)
          bus.wait(500)
          bus.returns(call, `The database ${name} is back.`)
        }
        bus.wait(300)
      }
    }),
  },
  {
    name: 'thousand-requests',
    title: '1,000 requests at once',
    description: 'A thousand calls ask at the same time: the queue stays as quick as with one.',
    write: onBus((bus) => {
      bus.say('user', 'Move all old invoices to the archive, and ask me for each.')
      bus.wait(400)
      for (let i = 1; i <= 1_000; i++) {
        const fork = bus.fork()
        const file = `invoices/2019/${String(i).padStart(4, '0')}.pdf`
        const call = fork.call(`move-${i}`, 'move_file', { from: file, to: `archive/${file}` }, `archive ${file}`)
        if (isAllowed(fork, call)) fork.returns(call, 'Moved.')
      }
    }),
  },
]

/** @param {(bus: Bus) => void} write @returns {Scenario['write']} */
function onBus(write) {
  return (script) => write(new Bus(script, script.id('session')))
}

/**
 * Asks whether a call may run. Without an answer, or when it is denied, the call ends with an error.
 * @param {Bus} bus @param {BusCall} call @param {Parameters<Bus['asks']>[1]} [options]
 */
function isAllowed(bus, call, options) {
  const decision = bus.asks(call, options)
  if (decision?.approved) return true
  const because = decision?.reason ? `: ${decision.reason}` : '.'
  bus.returns(call, decision ? `Denied by the user${because}` : 'Nobody answered in time.', true)
  return false
}
