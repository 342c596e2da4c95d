/** A visitor without a wallet: an address, a code, and a minute later they sign and send on three chains. */
import { createPublicClient, http, isAddress, isHex, toHex } from 'viem'
import { allChains } from './support/dapp'
import { approveRequest, signInByEmail } from './support/embedded'
import { newAddress } from './support/mailbox'
import { addressesIn, openConnect, requestIn, statusIn } from './support/postern'
import { expect, test } from './support/test'

const client = createPublicClient({ transport: http('http://127.0.0.1:8545') })

test('@embedded from an empty browser to a mined transaction', async ({ page, visit }) => {
  const address = newAddress()
  await visit({ wallets: [], networks: allChains })
  await openConnect(page)
  await signInByEmail(page, address)
  for (const namespace of ['eip155', 'solana', 'bip122'] as const)
    await expect.poll(() => statusIn(page, namespace), { timeout: 20_000 }).toBe('connected')
  const [account = ''] = await addressesIn(page, 'eip155')
  expect(isAddress(account)).toBe(true)

  const signed = requestIn(page, 'eip155', 'personal_sign', [toHex('Hello'), account])
  await approveRequest(page)
  const signature = await signed
  if (!('result' in signature) || !isHex(signature.result) || !isAddress(account))
    throw new Error(JSON.stringify(signature))
  expect(await client.verifyMessage({ address: account, message: 'Hello', signature: signature.result })).toBe(true)
})
