import { createSolanaRpc, generateKeyPairSigner, type Instruction, signature as toSignature } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePorts } from '../http/free-ports'
import { solanaAccount } from './accounts'
import { signedBy } from './faucet'
import { toAddress } from './ledger'
import { type SolanaChain, startSolana } from './start-solana'
import { solanaCollectible, solanaLevyMint, solanaMint } from './token-ids'
import { associatedTokenAddress } from './tokens'

const { port } = await freePorts('port')
const rpc = createSolanaRpc(`http://127.0.0.1:${port}`)
const ada = toAddress(solanaAccount(0).address)
const bob = toAddress(solanaAccount(1).address)
const mint = toAddress(solanaMint)
const tokenProgram = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
let chain: SolanaChain
beforeAll(async () => {
  chain = await startSolana({ port })
})
afterAll(() => chain.stop())

const token2022 = toAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const tokensOf = async (owner: typeof ada, programId = tokenProgram) => {
  const filter = { programId }
  const { value } = await rpc.getTokenAccountsByOwner(owner, filter, { encoding: 'jsonParsed' }).send()
  return new Map(value.map(({ account }) => [account.data.parsed.info.mint, account.data.parsed.info.tokenAmount]))
}

test('the first accounts hold tokens, and the first one also the collectible', async () => {
  expect(Object.fromEntries(await tokensOf(ada))).toEqual({
    [solanaMint]: { amount: '1000000000', decimals: 6, uiAmount: 1_000, uiAmountString: '1000' },
    [solanaCollectible]: { amount: '1', decimals: 0, uiAmount: 1, uiAmountString: '1' },
  })
  expect([...(await tokensOf(bob)).keys()]).toEqual([solanaMint])
  expect((await rpc.getTokenSupply(mint).send()).value.uiAmountString).toMatch(/^\d{4,}$/)
  expect((await rpc.getAccountInfo(mint, { encoding: 'jsonParsed' }).send()).value).toMatchObject({
    data: { program: 'spl-token', parsed: { type: 'mint', info: { decimals: 6, freezeAuthority: null } } },
  })
})

test('the faucet mints to an owner without a token account', async () => {
  const { address } = await generateKeyPairSigner()
  const url = `${chain.url}/devnet/fund-token?address=${address}&amount=2500000`
  expect((await fetch(url, { method: 'POST' })).status).toBe(200)
  expect((await fetch(url, { method: 'POST' })).status).toBe(200)
  expect((await tokensOf(address)).get(mint)?.uiAmountString).toBe('5')
  const badUrl = `${chain.url}/devnet/fund-token?address=invalid&amount=1`
  expect((await fetch(badUrl, { method: 'POST' })).status).toBe(400)
})

test('Token-2022 balances are in accounts of that program, for the third account and faucet recipients', async () => {
  const carol = toAddress(solanaAccount(2).address)
  expect((await tokensOf(carol, token2022)).get(toAddress(solanaLevyMint))?.uiAmountString).toBe('1000')
  const { address } = await generateKeyPairSigner()
  const url = (mint: string) => `${chain.url}/devnet/fund-token?address=${address}&amount=2500000&mint=${mint}`
  expect((await fetch(url(solanaLevyMint), { method: 'POST' })).status).toBe(200)
  expect(Object.fromEntries(await tokensOf(address, token2022))).toMatchObject({
    [solanaLevyMint]: { amount: '2500000' },
  })
  expect((await tokensOf(address)).size).toBe(0)
  expect((await fetch(url(solanaCollectible), { method: 'POST' })).status).toBe(400)
})

test('a transfer lists token balances before and after, and is found by account', async () => {
  const [from, to] = [await associatedTokenAddress(ada, mint), await associatedTokenAddress(bob, mint)]
  // TokenInstruction::TransferChecked.
  const data = new Uint8Array(10)
  data[0] = 12
  new DataView(data.buffer).setBigUint64(1, 1_500_000n, true)
  data[9] = 6
  const transfer: Instruction = {
    programAddress: tokenProgram,
    accounts: [
      { address: from, role: 1 },
      { address: mint, role: 0 },
      { address: to, role: 1 },
      { address: ada, role: 2 },
    ],
    data,
  }
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const wire = Buffer.from(signedBy(solanaAccount(0), [transfer], lifetime)).toString('base64')
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'sendTransaction',
    params: [wire, { encoding: 'base64' }],
  })
  const sent: unknown = await (await fetch(chain.url, { method: 'POST', body })).json()
  expect(sent).toEqual({ jsonrpc: '2.0', id: 1, result: expect.any(String) })
  chain.advance(1)

  const config = { commitment: 'confirmed' } as const
  const [newest] = await rpc.getSignaturesForAddress(to, config).send()
  const account = await rpc
    .getTransaction(toSignature(newest?.signature ?? ''), {
      ...config,
      encoding: 'jsonParsed',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  const balancesOf = (owner: typeof ada) =>
    [account?.meta?.preTokenBalances, account?.meta?.postTokenBalances].map(
      (balances) => balances?.find((balance) => balance.owner === owner)?.uiTokenAmount.uiAmountString,
    )
  expect(balancesOf(ada)).toEqual(['1000', '998.5'])
  expect(balancesOf(bob)).toEqual(['1000', '1001.5'])
  expect(account?.meta?.postTokenBalances?.[0]).toMatchObject({ mint, programId: tokenProgram })
})
