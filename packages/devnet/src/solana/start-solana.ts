import { createServer } from 'node:http'
import { lamports } from '@solana/kit'
import { WebSocketServer } from 'ws'
import { close, listen } from '../http/listen'
import { solanaAccount } from './accounts'
import { fillFaucet, payFromFaucet } from './faucet'
import { createSolanaLedger, toAddress } from './ledger'
import { createMethods } from './rpc'
import { answerText, createHandler } from './server'
import { createSubscriptions } from './subscriptions'
import { solanaCollectible, solanaLevyMint, solanaMint } from './token-ids'
import { createMints, mintTo } from './tokens'
import { invalidParams, RpcError } from './wire'

export type SolanaChain = {
  /** JSON-RPC. */
  readonly url: string
  /** The next port. */
  readonly webSocketUrl: string
  readonly port: number
  /** Pays lamports from the faucet; returns the signature. */
  fund(address: string, amount: bigint): string
  /** In base units; default token: SDUSD. Creates the associated token account if needed. */
  fundToken(owner: string, amount: bigint, mint?: string): Promise<string>
  /** 151 slots expire every blockhash issued so far; 33 more finalize that. */
  advance(slots: number): void
  /** Waits until both ports are free. Idempotent. */
  stop(): Promise<void>
}

/** Source: DEFAULT_MS_PER_SLOT. */
const defaultSlotMs = 400
export const fundedSolanaAccounts = 10
/** 1,000 SOL each. */
const funds = 1_000n * 10n ** 9n
/** 1,000 SDUSD each. */
const tokenHolders = 3
const tokenFunds = 1_000n * 10n ** 6n
/** The third account, which holds 1,000 SLEVY. */
const levyHolder = 2

/**
 * Starts a Solana virtual machine behind JSON-RPC on loopback.
 * `port` is for HTTP, `port + 1` for WebSocket, as web3.js and kit expect of a local validator.
 *
 * 1. Before this resolves, ten accounts of the devnet's mnemonic hold 1,000 SOL each. The first three hold 1,000 SDUSD,
 *    the first one the collectible, the third one 1,000 SLEVY.
 * 2. A slot lasts `slotMs`, by default 400 ms; 0: `advance` makes each slot. Transactions execute at once, are
 *    confirmed with the next slot, and finalized 32 slots later.
 * 3. A taken port or an abort rejects and leaves nothing behind.
 *
 * @example
 * const solana = await startSolana({ port: 8547 })
 * await solana.stop()
 */
export async function startSolana({
  port,
  slotMs = defaultSlotMs,
  signal,
}: {
  readonly port: number
  readonly slotMs?: number
  readonly signal?: AbortSignal | undefined
}): Promise<SolanaChain> {
  signal?.throwIfAborted()
  const ledger = createSolanaLedger(Date.now)
  fillFaucet(ledger)
  for (let index = 0; index < fundedSolanaAccounts; index++)
    ledger.svm.airdrop(toAddress(solanaAccount(index).address), lamports(funds))
  await createMints(ledger)
  for (let index = 0; index < tokenHolders; index++)
    await mintTo(ledger, solanaMint, toAddress(solanaAccount(index).address), tokenFunds)
  await mintTo(ledger, solanaLevyMint, toAddress(solanaAccount(levyHolder).address), tokenFunds)
  await mintTo(ledger, solanaCollectible, toAddress(solanaAccount(0).address), 1n)

  const methods = createMethods(ledger)
  const answer = (method: string, params: unknown) => {
    const run = methods.get(method)
    if (run === undefined) throw new RpcError(-32601, 'Method not found')
    return run(params)
  }
  const fund = (address: string, amount: bigint) => payFromFaucet(ledger, toAddress(address), amount)
  const fundToken = async (owner: string, amount: bigint, mint: string = solanaMint) => {
    if (mint !== solanaMint && mint !== solanaLevyMint) throw invalidParams('mint is not a token of the devnet')
    return mintTo(ledger, mint, toAddress(owner), amount)
  }
  const control = (path: string, query: URLSearchParams) => {
    const number = (name: string, max: number) => {
      const value = Number(query.get(name))
      if (!Number.isInteger(value) || value < 1 || value > max)
        throw invalidParams(`${name} is not a number up to ${max}`)
      return value
    }
    const address = query.get('address') ?? ''
    if (path === 'fund') return { signature: fund(address, BigInt(number('amount', 1e12))) }
    if (path === 'fund-token')
      return fundToken(address, BigInt(number('amount', 1e12)), query.get('mint') ?? solanaMint).then((signature) => ({
        signature,
      }))
    if (path !== 'advance') return null
    ledger.advance(number('slots', 10_000))
    return { slot: ledger.slot() }
  }

  const http = createServer(createHandler(answer, control))
  const upgrades = createServer((_, response) => response.writeHead(426).end())
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 })
  upgrades.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened)),
  )
  sockets.on('connection', (socket) => {
    const send = (text: string) => socket.send(text)
    const subscriptions = createSubscriptions(ledger, send)
    socket.on('message', (data) => {
      const text = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
      // Other methods need HTTP.
      const subscribed = (method: string, params: unknown) => {
        const result = subscriptions.answer(method, params)
        if (result === undefined) throw new RpcError(-32601, 'Method not found')
        return result
      }
      void answerText(text.toString('utf8'), subscribed).then(send)
    })
    socket.on('close', () => subscriptions.end())
    // `close` follows.
    socket.on('error', () => socket.terminate())
  })
  const slots = slotMs > 0 ? setInterval(() => ledger.advance(1), slotMs) : undefined

  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (async () => {
      signal?.removeEventListener('abort', onAbort)
      clearInterval(slots)
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await Promise.all([close(http), close(upgrades)])
    })()
    return stopping
  }
  const onAbort = () => void stop()

  try {
    await Promise.all([listen(http, port), listen(upgrades, port + 1)])
    signal?.throwIfAborted()
  } catch (cause) {
    await stop()
    throw cause
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  const [url, webSocketUrl] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port + 1}`]
  return { url, webSocketUrl, port, fund, fundToken, advance: (count) => ledger.advance(count), stop }
}
