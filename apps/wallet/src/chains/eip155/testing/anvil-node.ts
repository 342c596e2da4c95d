/** One account on a real node, in the devnet's weather. */
import { createEvmChain, weathers } from '@postern/chains/eip155/testing/evm-devnet'
import { type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { fair, Refused, readTransaction, requireDearer, type Weather, withFates } from './weather-node'

const HexText = z.templateLiteral(['0x', z.string()])
const Reply = z.object({ result: z.optional(z.unknown()), error: z.optional(z.object({ message: z.string() })) })
const Pooled = z.record(
  z.string(),
  z.object({ hash: HexText, maxFeePerGas: z.optional(HexText), gasPrice: z.optional(HexText) }),
)
const Pool = z.object({ pending: z.record(z.string(), Pooled), queued: z.record(z.string(), Pooled) })
const Block = z.object({
  transactions: z.array(z.object({ hash: HexText, from: z.string(), nonce: HexText, value: HexText })),
})
/** Receipts stay unknown. */
const receiptDelayBlocks = 1_000_000

/** Mines only when the test says so. `rpcUrl`: of an anvil without automine. */
export async function anvilNode(rpcUrl: string, account: Hex) {
  let weather = fair
  let asked = 0
  let base = 10n ** 9n
  const chain = createEvmChain({
    name: 'model',
    rpcUrl,
    seed: 0,
    log: () => {},
    weather: {
      ...weathers.fair,
      get pendingIsLatest() {
        return weather.pendingIsLatest
      },
      get receiptDelay() {
        return weather.receiptsLate ? receiptDelayBlocks : 0
      },
    },
  })
  const returned = new Set<Hex>()
  const raws = new Map<string, Hex>()

  async function ask(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const { result, error } = Reply.parse(await (await fetch(rpcUrl, { method: 'POST', headers, body })).json())
    if (error !== undefined) throw new Refused(error.message)
    return result
  }
  const height = async () => Number(await ask('eth_blockNumber'))
  const blockAt = async (number: number) =>
    Block.parse(await ask('eth_getBlockByNumber', [numberToHex(number), true])).transactions.filter(
      ({ from }) => from.toLowerCase() === account.toLowerCase(),
    )
  async function pooled() {
    const { pending, queued } = Pool.parse(await ask('txpool_content'))
    return [pending, queued].flatMap((all) =>
      Object.entries(all).flatMap(([sender, byNonce]) =>
        sender.toLowerCase() === account.toLowerCase() ? Object.entries(byNonce) : [],
      ),
    )
  }

  const first = await height()
  /** No reorganisation reaches further back. */
  let final = first
  await ask('anvil_setBalance', [account, numberToHex(10n ** 24n)])

  async function mine(): Promise<void> {
    await ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(base)])
    await chain.block()
    chain.setLag(weather.lag)
  }
  // The base fee of the walk before is over.
  await mine()

  return withFates({
    async take(raw: Hex) {
      const transaction = readTransaction(raw)
      raws.set(transaction.hash, raw)
      const [, rival] = (await pooled()).find(([nonce]) => Number(nonce) === transaction.nonce) ?? []
      requireDearer(
        transaction,
        rival && { hash: rival.hash, maxFee: BigInt(rival.maxFeePerGas ?? rival.gasPrice ?? '0x0') },
      )
      await ask('eth_sendRawTransaction', [raw])
    },
    async answer(method: string, params: readonly unknown[]) {
      asked += 1
      const isBehind = weather.lag > 0 && (!weather.isMixed || asked % 2 === 0)
      const call = { jsonrpc: '2.0' as const, id: 1, method, params: [...params] }
      const { result, error } = await chain.answer(isBehind ? 1 : 0, call)
      if (error !== undefined) throw new Refused(error.message)
      return result
    },
    async mined() {
      const all = []
      for (let number = first + 1; number <= (await height()); number += 1) all.push(...(await blockAt(number)))
      return all.map(({ hash, nonce, value }) => ({ hash, nonce: Number(nonce), value: BigInt(value) }))
    },
    in(next: Weather) {
      weather = next
      chain.setLag(next.lag)
    },
    mine,
    async reorganise(depth: number, rivals: readonly Hex[]) {
      const reached = Math.min(depth, (await height()) - final)
      if (reached < 1) return
      for (let back = 0; back < reached; back += 1)
        for (const { hash } of await blockAt((await height()) - back)) returned.add(hash)
      await chain.reorganise(reached)
      for (const raw of rivals) {
        const { hash, nonce } = readTransaction(raw)
        raws.set(hash, raw)
        const [, waiting] = (await pooled()).find(([other]) => Number(other) === nonce) ?? []
        if (waiting !== undefined) await ask('anvil_dropTransaction', [waiting.hash])
        // A block that stays may have the nonce.
        await ask('eth_sendRawTransaction', [raw]).catch(() => undefined)
      }
    },
    async settle() {
      final = await height()
      weather = { ...weather, lag: 0, receiptsLate: false }
      chain.setLag(0)
    },
    /** What waits is lost, except what a reorganisation took out of a block. */
    async forgetPool() {
      await ask('anvil_dropAllTransactions')
      for (const hash of returned) {
        const raw = raws.get(hash)
        // A block may have it again.
        if (raw !== undefined) await ask('eth_sendRawTransaction', [raw]).catch(() => undefined)
      }
    },
    price(next: bigint) {
      base = next
    },
  })
}
