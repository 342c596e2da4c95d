import { createServer } from 'node:http'
import { close, listen } from '../http/listen'
import { bitcoinAccount } from './accounts'
import { faucetProgram, payFromFaucet } from './faucet'
import { createLedger } from './ledger'
import { openNode } from './node'
import { createRoutes } from './routes'

export type BitcoinChain = {
  /** Base URL of Esplora's API. */
  readonly url: string
  readonly port: number
  /** Mines at once; pending transactions confirm. */
  mine(blocks: number): Promise<void>
  /**
   * Replaces the last `depth` blocks by `depth` + 1 empty blocks. The transactions of the replaced blocks wait again.
   */
  reorganise(depth: number): Promise<void>
  /** In satoshis; returns the id. Pending until the next block. */
  fund(address: string, satoshis: bigint): Promise<string>
  /** Waits until the port is free. Idempotent. */
  stop(): Promise<void>
}

/** Segwit is active from block 432; coinbases mature after 100. */
const firstBlocks = 440
/** Long enough to see a transaction pending. */
const defaultBlockMs = 3_000
export const fundedBitcoinAccounts = 3
/** 10 BTC in two outputs, in satoshis. */
const paymentFunds = [600_000_000n, 400_000_000n]
/** The usual amount under an inscription, in satoshis. */
const ordinalsFunds = 10_000n

/**
 * Starts a regtest chain behind Esplora's HTTP API on loopback.
 *
 * 1. Resolves once the accounts of the devnet's mnemonic have confirmed, spendable funds.
 * 2. A transaction in the mempool is mined within `blockMs`, by default 3 s. 0: `mine` makes each block.
 * 3. A taken port or an abort rejects and leaves nothing behind.
 *
 * @example
 * const bitcoin = await startBitcoin({ port: 8549 })
 * await (await fetch(`${bitcoin.url}/blocks/tip/height`)).text()
 */
export async function startBitcoin({
  port,
  blockMs = defaultBlockMs,
  signal,
}: {
  readonly port: number
  readonly blockMs?: number
  readonly signal?: AbortSignal | undefined
}): Promise<BitcoinChain> {
  signal?.throwIfAborted()
  const ledger = createLedger()
  const node = await openNode(ledger)
  let timer: NodeJS.Timeout | undefined
  // One at a time: a block extends the tip it was assembled on, and payments must not share a coin.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const mine = (blocks: number) => inTurn(() => node.mine(blocks, faucetProgram))
  const reorganise = async (depth: number) => {
    await inTurn(() => node.reorganise(depth, faucetProgram))
    if (ledger.mempool().length > 0) scheduleMining()
  }
  const scheduleMining = () => {
    if (blockMs === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      void mine(1).then(
        () => ledger.mempool().length > 0 && scheduleMining(),
        (cause: unknown) => console.error('The devnet could not mine a block.', cause),
      )
    }, blockMs)
  }
  const add = async (raw: Uint8Array) => {
    const id = await node.add(raw)
    scheduleMining()
    return id
  }
  const fund = async (address: string, amount: bigint) => {
    const id = await inTurn(() => payFromFaucet(ledger, node, [{ address, amount }]))
    scheduleMining()
    return id
  }

  const server = createServer(createRoutes({ ledger, add, mine, reorganise, fund }))
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (async () => {
      signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
      await close(server)
      await last
      clearTimeout(timer)
      await node.close()
    })()
    return stopping
  }
  const onAbort = () => void stop()

  try {
    await node.mine(firstBlocks, faucetProgram)
    const accounts = Array.from({ length: fundedBitcoinAccounts }, (_, index) => bitcoinAccount(index))
    const gifts = accounts.flatMap(({ payment, ordinals }) => [
      ...paymentFunds.map((amount) => ({ address: payment.address, amount })),
      { address: ordinals.address, amount: ordinalsFunds },
    ])
    await payFromFaucet(ledger, node, gifts)
    await node.mine(1, faucetProgram)
    await listen(server, port)
    signal?.throwIfAborted()
  } catch (cause) {
    await stop()
    throw cause
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  return { url: `http://127.0.0.1:${port}`, port, mine, reorganise, fund, stop }
}
