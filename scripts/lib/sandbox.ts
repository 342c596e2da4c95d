/**
 * Runs the steps of a container file by bubblewrap, without a container engine.
 * Each stage has a root folder and a user without rights. The machine's own programs (`/usr`, `/etc`) replace the base
 * image's.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, lchownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Stage } from './containerfile'

/** The id of the user `node` in the official Node images. */
const user = 1000

/** A stage after its steps. */
export type Built = {
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  /** Command of the health check. */
  readonly check: readonly string[]
}

type Mounts = {
  /** Whether the root is read-only. Default: writable, as while an image is built. */
  readonly readOnly?: boolean
  readonly writable?: Readonly<Record<string, string>>
  readonly readable?: Readonly<Record<string, string>>
}

/**
 * @param context the files that `COPY` without `--from` takes; only `COPY . .` is known.
 * @param earlier stages by name.
 */
export async function buildStage(
  stage: Stage,
  root: string,
  context: string,
  earlier: ReadonlyMap<string, Built>,
): Promise<Built> {
  makeRoot(root)
  const built = { root, workdir: '/', env: {}, entrypoint: [], command: [], check: [] }
  let image: Built = built
  for (const { keyword, text } of stage.steps) {
    if (keyword === 'WORKDIR') {
      image = { ...image, workdir: text }
      makeFolder(inside(image, text))
    } else if (keyword === 'ENV') image = { ...image, env: { ...image.env, ...pairs(text) } }
    else if (keyword === 'COPY') copy(image, text, context, earlier)
    else if (keyword === 'RUN') await runStep(image, text)
    else if (keyword === 'ENTRYPOINT') image = { ...image, entrypoint: words(text) }
    else if (keyword === 'CMD') image = { ...image, command: words(text) }
    else if (keyword === 'HEALTHCHECK') image = { ...image, check: words(text.slice(text.indexOf('['))) }
    else if (!['LABEL', 'EXPOSE', 'USER'].includes(keyword)) throw new Error(`Unknown step: ${keyword} ${text}`)
  }
  return image
}

/** Starts a program in a built stage, in its own process group. */
export function start(
  { root, workdir, env }: Built,
  program: readonly string[],
  { readOnly = false, writable = {}, readable = {} }: Mounts = {},
): ChildProcess {
  const bind = (option: string, mounts: Readonly<Record<string, string>>) =>
    Object.entries(mounts).flatMap(([at, from]) => [option, from, at])
  const set = { HOME: '/tmp', PATH: '/usr/bin:/bin', ...passedOn(), ...env }
  const sandbox = [
    ...[readOnly ? '--ro-bind' : '--bind', root, '/'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc'],
    ...['--ro-bind', `${root}.passwd`, '/etc/passwd', '--ro-bind', `${root}.group`, '/etc/group'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...bind('--bind', writable),
    ...bind('--ro-bind', readable),
    ...['--clearenv', ...Object.entries(set).flatMap(([name, value]) => ['--setenv', name, value])],
    ...['--chdir', workdir],
  ]
  const words = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', 'bwrap', ...sandbox, ...program]
  return spawn('setpriv', words, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
}

/** Resolves to the standard output. A failure throws with all output. */
export async function output(child: ChildProcess): Promise<string> {
  let [out, all] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    all += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    all += chunk.toString()
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(all.slice(-4_000))
  return out
}

function makeRoot(root: string): void {
  mkdirSync(root, { recursive: true })
  for (const name of ['usr', 'etc', 'proc', 'dev', 'tmp', 'run']) mkdirSync(path.join(root, name))
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, path.join(root, name))
  writeFileSync(`${root}.passwd`, `root:x:0:0::/:/bin/sh\nnode:x:${user}:${user}::/tmp:/bin/sh\n`)
  writeFileSync(`${root}.group`, `root:x:0:\nnode:x:${user}:\n`)
  chownSync(root, user, user)
}

/** Creates the folder and its parents for that user. */
function makeFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true })
  if (made !== undefined) own(made)
}

function own(entry: string): void {
  lchownSync(entry, user, user)
  for (const name of readdirSync(entry, { recursive: true, encoding: 'utf8' }))
    lchownSync(path.join(entry, name), user, user)
}

async function runStep(image: Built, text: string): Promise<void> {
  await output(start(image, ['sh', '-c', text]))
}

function copy(image: Built, text: string, context: string, earlier: ReadonlyMap<string, Built>): void {
  const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? []
  const origin = from === undefined ? undefined : earlier.get(from)
  if (from !== undefined && origin === undefined) throw new Error(`No stage ${from}: COPY ${text}`)
  const to = inside(image, target)
  makeFolder(to)
  cpSync(origin === undefined ? path.join(context, source) : inside(origin, source), to, {
    recursive: true,
    verbatimSymlinks: true,
  })
  own(to)
}

const inside = ({ root, workdir }: Pick<Built, 'root' | 'workdir'>, name: string) =>
  path.join(root, path.posix.resolve(workdir, name))

const pairs = (text: string) =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))

/** Reads the exec form, `["node", "-e"]`. */
function words(text: string): string[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error(`Not in exec form: ${text}`)
  return list.map(String)
}

/** How this machine reaches a registry. */
function passedOn(): Record<string, string> {
  const names = /^(npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      names.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )
}
