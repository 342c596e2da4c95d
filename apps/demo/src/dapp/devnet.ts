/** Faucets of the local chains; a real dapp has none. */

export const evmPorts: ReadonlyMap<string, number> = new Map([
  ['eip155:31337', 8545],
  ['eip155:31338', 8546],
])
const solanaPort = 8547
const bitcoinPort = 8549

const wei = 10n ** 18n
const lamports = 2_000_000_000
const satoshis = 1_000_000

export async function ask(port: number, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) throw new Error('The faucet did not pay.')
  return answer.result
}

/** Resolves with what the user is told. */
export const faucets = {
  async eip155(address: string, network: string | undefined) {
    const port = evmPorts.get(network ?? '')
    if (port === undefined) throw new Error('Play money exists only on the local chains. Switch to one of them.')
    const currentBalance = await ask(port, 'eth_getBalance', [address, 'latest'])
    const balance = BigInt(typeof currentBalance === 'string' ? currentBalance : '0x0') + wei
    await ask(port, 'anvil_setBalance', [address, `0x${balance.toString(16)}`])
    return 'Received 1 ETH.'
  },
  async solana(address: string) {
    await ask(solanaPort, 'requestAirdrop', [address, lamports])
    return 'Received 2 SOL.'
  },
  async bip122(address: string) {
    const query = new URLSearchParams({ address, amount: `${satoshis}` })
    const paid = await fetch(`http://127.0.0.1:${bitcoinPort}/devnet/fund?${query}`, { method: 'POST' })
    if (!paid.ok) throw new Error('The faucet did not pay.')
    return 'Received 0.01 BTC.'
  },
}
