/**
 * Runs the steps of `Containerfile` without a container engine, then starts the result.
 * The steps run in an empty folder as another user. The result starts as in `compose.yaml`: on a read-only file system,
 * with its health check. Needs root and bubblewrap.
 *
 * `--packed DIR` takes the packed package from DIR, without the stage that builds it.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readStages } from './lib/containerfile'
import { run } from './lib/process'
import { type Built, buildStage, output, start } from './lib/sandbox'
import { command, step } from './lib/step'

const { values } = parseArgs({ args: process.argv.slice(3), options: { packed: { type: 'string' } } })

/** Writes the tracked files that `.dockerignore` lets through. */
async function writeContext(folder: string): Promise<void> {
  const sent = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .flatMap((line) =>
      line.startsWith('!')
        ? [new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`)]
        : [],
    )
  const files = (await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])).split('\n')
  for (const file of files) {
    if (!sent.some((pattern) => pattern.test(file)) || !existsSync(file)) continue
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
    cpSync(file, path.join(folder, file))
  }
}

async function untilHealthy(image: Built, log: () => string): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const healthy = await output(start(image, image.check, { readOnly: true })).then(
      () => true,
      () => false,
    )
    if (healthy) return
    if (Date.now() > deadline) throw new Error(`Not healthy within 60 s.\n${log()}`)
  }
}

async function startImage(image: Built, folder: string): Promise<void> {
  const program = [...image.entrypoint, ...image.command]
  const made = await output(start(image, [...image.entrypoint, 'secrets'], { readOnly: true }))
  const secrets = path.join(folder, 'secrets.json')
  writeFileSync(secrets, made)
  mkdirSync(path.join(image.root, 'run/secrets'), { recursive: true })
  writeFileSync(path.join(image.root, 'run/secrets/postern'), '')
  const env = {
    ...image.env,
    MODAL_ORIGIN: 'https://modal.example.com',
    WALLET_ORIGIN: 'https://wallet.example.com',
    POSTERN_ASSETS: '/assets',
    POSTERN_DATA: '/data',
    POSTERN_SECRETS: '/run/secrets/postern',
    POSTERN_SEED: '[{"id":"demo","name":"Demo","allowedOrigins":["https://app.example.com"]}]',
    SMTP_URL: 'off',
  }
  const gateway = start({ ...image, env }, program, {
    readOnly: true,
    writable: { '/data': path.join(image.root, 'data'), '/assets': path.join(image.root, 'assets') },
    readable: { '/run/secrets/postern': secrets },
  })
  let log = ''
  for (const stream of [gateway.stdout, gateway.stderr])
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  try {
    await untilHealthy(image, () => log)
    // Asks for the page by the host name that a proxy passes on.
    const page = ['-s', '-H', 'Host: modal.example.com', 'http://127.0.0.1:4400/?projectId=demo']
    const html = await run('curl', page)
    if (!html.includes('<script type="module"'))
      throw new Error(`The gateway serves no modal page:\n${html.slice(0, 400)}`)
  } finally {
    if (gateway.pid !== undefined) process.kill(-gateway.pid, 'SIGTERM')
  }
  await new Promise((resolve) => gateway.stdout?.once('close', resolve))
  if (!log.includes('"stopped"')) throw new Error(`The gateway did not stop in order:\n${log.slice(-2_000)}`)
}

await command(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-container-'))
  // For the other user.
  chmodSync(folder, 0o755)
  const built = new Map<string, Built>()
  let image: Built | undefined
  try {
    const context = path.join(folder, 'context')
    if (values.packed === undefined) await step('Copying what .dockerignore lets through', () => writeContext(context))
    for (const stage of readStages(readFileSync('Containerfile', 'utf8'))) {
      const name = stage.name ?? 'image'
      const isGiven = name === 'build' && values.packed !== undefined
      const steps = isGiven ? [] : stage.steps
      await step(`Stage ${name}`, async () => {
        image = await buildStage({ ...stage, steps }, path.join(folder, name), context, built)
        built.set(name, image)
        if (isGiven) cpSync(path.resolve(values.packed ?? ''), path.join(image.root, 'packed'), { recursive: true })
      })
    }
    const last = image
    if (last === undefined) throw new Error('Containerfile has no stage')
    await step('Starting it on a read-only file system', () => startImage(last, folder))
    const size = await run('du', ['-sm', path.join(last.root, 'app')])
    console.log(`\nWithout the base image it has ${size.split('\t')[0]} MB.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
