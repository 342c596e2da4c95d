import { encodeAbiParameters } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, type SiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../platform/upstreams/attempt'
import type { RpcAnswer, RpcCall } from '../../platform/upstreams/rpc'
import { type Chain, verifySignIn } from './verify'

const account = privateKeyToAccount(generatePrivateKey())
const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const at = Date.UTC(2026, 0, 1)
const expected = {
  domain: 'wallet.example.com',
  uri: 'https://wallet.example.com/auth/farcaster',
  nonce: 'abcdefgh',
  now: at,
}

/** @param fid from the registry; `contract` is the signer contract's response. */
function chain(fid: bigint | null, contract: RpcAnswer = { result: '0x' }): Chain {
  const exchange = async (_: readonly string[], calls: readonly RpcCall[]): Promise<RpcAnswer[]> =>
    calls.map(({ params }) => {
      if (!JSON.stringify(params).toLowerCase().includes(idRegistry.toLowerCase())) return contract
      return fid === null ? { result: '0x' } : { result: encodeAbiParameters([{ type: 'uint256' }], [fid]) }
    })
  return { upstreams: { exchange }, urls: ['https://node.example.com'], idRegistry }
}

async function signed(change: Partial<SiweMessage> = {}, signer = account) {
  const message = createSiweMessage({
    domain: expected.domain,
    address: account.address,
    statement: 'Farcaster Auth',
    uri: expected.uri,
    version: '1',
    chainId: 10,
    nonce: expected.nonce,
    issuedAt: new Date(at),
    expirationTime: new Date(at + 600_000),
    resources: ['farcaster://fid/7'],
    ...change,
  })
  return { message, signature: await signer.signMessage({ message }) }
}

test('a valid message proves its fid', async () => {
  expect(await verifySignIn(await signed(), expected, chain(7n))).toBe(7n)
  expect(await verifySignIn(await signed({ statement: 'Farcaster Connect' }), expected, chain(7n))).toBe(7n)
})

test.each<[string, Partial<SiweMessage>]>([
  ['1. another domain', { domain: 'evil.example' }],
  ['1. another URI', { uri: 'https://wallet.example.com/other' }],
  ['1. another nonce', { nonce: 'hgfedcba' }],
  ['1. a time that is over', { expirationTime: new Date(at - 1) }],
  ['1. a time that has not come', { notBefore: new Date(at + 60_000) }],
  ['2. another statement', { statement: 'Send everything' }],
  ['2. another chain', { chainId: 1 }],
  ['2. no fid', { resources: [] }],
  ['2. two fids', { resources: ['farcaster://fid/7', 'farcaster://fid/8'] }],
  ['2. an invalid fid', { resources: ['farcaster://fid/07'] }],
])('%s proves nothing', async (_, change) => {
  expect(await verifySignIn(await signed(change), expected, chain(7n))).toBeNull()
})

test('3. another signer’s or an invalid signature proves nothing', async () => {
  const other = privateKeyToAccount(generatePrivateKey())
  expect(await verifySignIn(await signed({}, other), expected, chain(7n))).toBeNull()
  const { message } = await signed()
  for (const signature of ['0x', '0x00', `0x${'ff'.repeat(65)}`, 'hello']) {
    expect(await verifySignIn({ message, signature }, expected, chain(7n))).toBeNull()
  }
  expect(await verifySignIn({ message: 'hello', signature: '0x00' }, expected, chain(7n))).toBeNull()
})

test('3. a contract accepts a signature only with the magic value (EIP-1271)', async () => {
  const { message } = await signed()
  const signIn = { message, signature: '0x1234' }
  const magic = { result: `0x1626ba7e${'0'.repeat(56)}` }
  expect(await verifySignIn(signIn, expected, chain(7n, magic))).toBe(7n)
  for (const answer of [
    { result: `0xffffffff${'0'.repeat(56)}` },
    { result: '0x1626ba7e' },
    { result: true },
    { error: { code: 3, message: 'execution reverted' } },
  ]) {
    expect(await verifySignIn(signIn, expected, chain(7n, answer))).toBeNull()
  }
})

test('4. the registry must map the address to the same fid', async () => {
  for (const fid of [0n, 8n, null]) expect(await verifySignIn(await signed(), expected, chain(fid))).toBeNull()
})

test('an unreachable chain is an error, not a rejection', async () => {
  const silent: Chain = {
    ...chain(7n),
    upstreams: { exchange: () => Promise.reject(new UpstreamsFailedError('No upstream answered')) },
  }
  await expect(verifySignIn(await signed(), expected, silent)).rejects.toThrow(UpstreamsFailedError)
})
