import * as z from 'zod/mini'

export type Esplora = {
  /** Satoshis per virtual byte, for the next block. */
  feeRate(): Promise<number>
  unspent(address: string): Promise<readonly { readonly txid: string; readonly vout: number; readonly value: bigint }[]>
  broadcast(transaction: string): Promise<string>
}

const Unspent = z.array(z.object({ txid: z.string(), vout: z.int(), value: z.int() }))
const Fees = z.record(z.string(), z.number())

export function connectEsplora(base: string): Esplora {
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${base}${path}`)
    if (!response.ok) throw new Error(await response.text())
    return await response.json()
  }
  return {
    feeRate: async () => z.parse(Fees, await get('/fee-estimates'))['1'] ?? 1,
    unspent: async (address) =>
      z.parse(Unspent, await get(`/address/${address}/utxo`)).map((coin) => ({ ...coin, value: BigInt(coin.value) })),
    async broadcast(transaction) {
      const response = await fetch(`${base}/tx`, { method: 'POST', body: transaction })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text
    },
  }
}
