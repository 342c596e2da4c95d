import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

export type Anvil = {
  readonly rpcUrl: string
  readonly pid: number
  /** Resolves however the process ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly lastLines: string }>
  /** Waits until it has ended. */
  stop(): Promise<void>
}

export type AnvilOptions = {
  readonly port: number
  readonly chainId: number
  readonly mnemonic: string
  readonly accounts: number
  readonly signal?: AbortSignal | undefined
}

const startTimeout = 20_000
/** Kills it after this many ms. */
const stopTimeout = 5_000

/**
 * Path of the native binary: the npm launcher would leave a grandchild behind.
 * Packages are named `@foundry-rs/anvil-<platform>-<amd64|arm64>`.
 */
function anvilPath(): string {
  const fromHere = createRequire(import.meta.url)
  const fromAnvil = createRequire(fromHere.resolve('@foundry-rs/anvil/package.json'))
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const extension = process.platform === 'win32' ? '.exe' : ''
  return fromAnvil.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil${extension}`)
}

/** Waits until this process says that it listens, because another chain may have the port. */
export async function startAnvil({ port, chainId, mnemonic, accounts, signal }: AnvilOptions): Promise<Anvil> {
  signal?.throwIfAborted()
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = ['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`]
  args.push('--mnemonic', mnemonic, '--accounts', `${accounts}`, '--color', 'never')
  const child = spawn(anvilPath(), args, { stdio: ['ignore', 'pipe', 'pipe'] })

  let output = ''
  const listening = new Promise<void>((resolve) => {
    const record = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000)
      if (output.includes(`Listening on 127.0.0.1:${port}`)) resolve()
    }
    child.stdout.on('data', record)
    child.stderr.on('data', record)
  })

  const ended = new Promise<{ code: number | null; lastLines: string }>((resolve) => {
    child.once('error', (cause) => resolve({ code: null, lastLines: cause.message }))
    child.once('close', (code) => resolve({ code, lastLines: output.trim() }))
  })
  const stop = async () => {
    signal?.removeEventListener('abort', terminate)
    terminate()
    const kill = setTimeout(() => child.kill('SIGKILL'), stopTimeout)
    await ended
    clearTimeout(kill)
  }
  function terminate() {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  }
  signal?.addEventListener('abort', terminate, { once: true })

  let deadline: NodeJS.Timeout | undefined
  try {
    await Promise.race([
      listening,
      ended.then(({ code, lastLines }) => {
        signal?.throwIfAborted()
        throw new Error(`anvil on port ${port} ended before it listened (exit code ${code}): ${lastLines}`)
      }),
      new Promise<never>((_, reject) => {
        const late = new Error(`anvil on port ${port} did not listen within ${startTimeout / 1000} s.`)
        deadline = setTimeout(() => reject(late), startTimeout)
      }),
    ])
    signal?.throwIfAborted()
  } catch (cause) {
    await stop()
    throw cause
  } finally {
    clearTimeout(deadline)
  }
  return { rpcUrl, pid: child.pid ?? 0, ended, stop }
}
