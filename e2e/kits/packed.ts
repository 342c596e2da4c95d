/** Programs of packed packages, in an empty folder outside of the repository. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Where `scripts/kits.ts` puts the tarballs. */
const packed = path.resolve(import.meta.dirname, '../../.postern/kits/packed')

/** Without npm's own variables, which name the repository. */
const environment = { PATH: process.env.PATH, HOME: process.env.HOME }

export type Program = {
  /** Everything that it has printed. */
  output(): string
  /** The first match in its output, also later output. Rejects if the program ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Like Ctrl-C; returns the exit code. */
  interrupt(): Promise<number | null>
}

export type Folder = {
  readonly path: string
  /** `npm install` of the packed gateway, client and create-postern, without the network. */
  install(): Promise<void>
  /** `npm install` of its own `package.json`, with the packed packages in place of the published ones. */
  installOwn(): Promise<void>
  /** `npx …` */
  npx(...words: string[]): Program
  /** `npm …`, such as `start` */
  npm(...words: string[]): Program
  /** `npm run …` until it ends. */
  npmRun(script: string): Promise<void>
  remove(): Promise<void>
}

export async function emptyFolder(): Promise<Folder> {
  return folderAt(await mkdtemp(path.join(tmpdir(), 'postern-kit-')))
}

/** It need not exist yet. */
export function folderAt(folder: string): Folder {
  const programs: Program[] = []
  const start = (command: string, words: readonly string[]) => {
    const program = run(command, words, folder)
    programs.push(program)
    return program
  }
  const npm = async (words: readonly string[]) => {
    await promisify(execFile)('npm', words, { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { stdout?: string; stderr?: string }) => {
        throw new Error(`npm ${words.join(' ')} failed:\n${error.stdout ?? ''}\n${error.stderr ?? ''}`)
      },
    )
  }
  return {
    path: folder,
    async install() {
      const tarballs = (await readdir(packed)).filter((name) =>
        /^(?:postern-(?:client|gateway)|create-postern|electric-sql)-/.test(name),
      )
      const words = [
        'install',
        '--offline',
        '--no-audit',
        '--no-fund',
        ...tarballs.map((name) => path.join(packed, name)),
      ]
      await npm(words)
    },
    async installOwn() {
      const file = path.join(folder, 'package.json')
      const description = await readFile(file, 'utf8')
      const tarballs = await readdir(packed)
      const usesPacked = description.replace(/"@postern\/([a-z]+)": "[^"]+"/g, (_, name: string) => {
        const tarball = tarballs.find((one) => one.startsWith(`postern-${name}-`))
        if (tarball === undefined) throw new Error(`scripts/kits.ts does not pack @postern/${name}`)
        return `"@postern/${name}": "file:${path.join(packed, tarball)}"`
      })
      await writeFile(file, usesPacked)
      await npm(['install', '--no-audit', '--no-fund'])
    },
    async npmRun(script) {
      await npm(['run', script])
    },
    npx: (...words) => start('npx', words),
    npm: (...words) => start('npm', words),
    async remove() {
      await Promise.all(programs.map((program) => program.interrupt()))
      await rm(folder, { recursive: true })
    },
  }
}

function run(command: string, words: readonly string[], folder: string): Program {
  // A process group of its own: npx starts the program as its child.
  const child: ChildProcess = spawn(command, words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'exit').then(() => child.exitCode)
  let output = ''
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const listener of heard) listener()
    })
  }
  return {
    output: () => output,
    async prints(pattern) {
      for (;;) {
        const found = pattern.exec(output)
        if (found !== null) return found
        const more = new Promise<void>((resolve) => {
          const listener = () => {
            heard.delete(listener)
            resolve()
          }
          heard.add(listener)
        })
        const isOver = await Promise.race([more.then(() => false), ended.then(() => true)])
        if (isOver) throw new Error(`${words.join(' ')} ended before it printed ${pattern}:\n${output}`)
      }
    },
    async interrupt() {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        process.kill(-child.pid, 'SIGINT')
      }
      return ended
    },
  }
}
