import { devnetMnemonic } from '@postern/devnet'
import { installWallet, postern } from '@postern/testing/playwright'
import { createPublicClient, http, isHex, toHex, verifyMessage } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { dappPage } from './support/dapp'
import { codeOf } from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { press, request, textOf } from './support/postern'
import { expect, test } from './support/test'

const chains = [
  { id: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' },
  { id: 31338, name: 'Postern Devnet Two', rpcUrl: 'http://127.0.0.1:8546' },
]

function keyOf(addressIndex: number): `0x${string}` {
  const { privateKey } = mnemonicToAccount(devnetMnemonic, { addressIndex }).getHdKey()
  if (!privateKey) throw new Error('The account has no private key.')
  return toHex(privateKey)
}

test('@main @kit a test wallet connects through the modal, and signs and sends for real', async ({
  page,
  visit,
  lane,
}) => {
  const wallet = await installWallet(page, { chains, privateKeys: [keyOf(lane.account)] })
  await visit({ wallets: [] })
  await postern(page).connect('Test Wallet')
  expect(await postern(page).account()).toBe(wallet.address)

  const signature = textOf(await request(page, 'personal_sign', ['hello', wallet.address]))
  if (!isHex(signature)) throw new Error(`No signature: ${signature}`)
  expect(await verifyMessage({ address: wallet.address, message: 'hello', signature })).toBe(true)

  const transaction = { from: wallet.address, to: wallet.address, value: '0x1' }
  const hash = textOf(await request(page, 'eth_sendTransaction', [transaction]))
  if (!isHex(hash)) throw new Error(`No hash: ${hash}`)
  const client = createPublicClient({ transport: http(chains[0]?.rpcUrl) })
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(wallet.requests.map(({ method }) => method)).toContain('eth_sendTransaction')
})

test('@kit the test answers what the wallet asks, and a decline is 4001 for the dapp', async ({
  page,
  visit,
  lane,
}) => {
  const wallet = await installWallet(page, { chains, privateKeys: [keyOf(lane.account)], behaviour: 'wait' })
  await visit({ wallets: [] })
  const { open, chooseWallet, account, modal } = postern(page)
  await open()
  await chooseWallet('Test Wallet')
  const refused = await wallet.question('eth_requestAccounts')
  refused.decline()
  await expect(modal.getByRole('dialog')).toContainText('declined')

  wallet.behave('approve', 'eth_requestAccounts')
  await press(modal.getByRole('button', { name: 'Try again' }))
  expect(await account()).toBe(wallet.address)

  const signed = request(page, 'personal_sign', ['hello', wallet.address])
  const question = await wallet.question('personal_sign')
  expect(question).toMatchObject({ title: 'Sign a message', raw: 'hello' })
  question.decline()
  expect(await signed).toMatchObject({ code: 4001 })
})

test('@kit the wallet survives a reload, and its events reach the dapp', async ({ context, page, visit, lane }) => {
  const wallet = await installWallet(context, {
    chains,
    privateKeys: [keyOf(lane.account), keyOf(lane.otherAccount)],
  })
  await visit({ wallets: [] })
  await postern(page).connect('Test Wallet')
  await page.reload()
  expect(await postern(page).account()).toBe(wallet.address)

  const first = wallet.address
  wallet.switchAccount(1)
  await expect.poll(() => postern(page).account()).not.toBe(first)
  wallet.switchChain(31338)
  await expect.poll(async () => (await postern(page).snapshot()).activeNetworkId).toBe('eip155:31338')
  wallet.disconnect()
  await expect.poll(async () => (await postern(page).snapshot()).connections.eip155?.status).toBe('disconnected')
})

test('@kit frames of the page do not have the wallet', async ({ page, visit, lane }) => {
  const wallet = await installWallet(page, { chains, privateKeys: [keyOf(lane.account)] })
  await visit({ wallets: [] })
  await postern(page).open()
  const frame = page.frames().find((each) => each.parentFrame() !== null)
  if (frame === undefined) throw new Error('There is no frame.')
  const answer = await frame.evaluate(
    (name) => Reflect.apply(Reflect.get(window, name), null, [{ method: 'eth_requestAccounts' }]),
    `posternTestWallet/${wallet.info.rdns}`,
  )
  expect(answer).toMatchObject({ error: { code: 4100 } })
  expect(wallet.requests).toEqual([])
})

test('@kit signs in by email in a dapp that uses the npm package', async ({ page, gateway, sites }) => {
  const module = (host: string) => `
    import { createPostern } from '/client/index.js'
    createPostern({ projectId: 'demo', networks: ['eip155:31337'], host: ${JSON.stringify(host)} })`
  await page.goto(sites.serve('dapp', '/', dappPage({ host: gateway.origin, module })))
  const address = newAddress()
  const { open, signInByEmail, account } = postern(page, { projectId: 'demo' })
  await open()
  await signInByEmail(address, async () => codeOf(await nextMail(address)))
  expect(await account()).toMatch(/^0x/)
})
