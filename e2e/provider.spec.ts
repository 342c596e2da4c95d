/** Postern as an EIP-1193 provider, announced by EIP-6963. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { createPublicClient, http, verifyMessage } from 'viem'
import { sentOverPorts, spyOnPorts } from './support/ports'
import {
  approve,
  card,
  chainId,
  chooseWallet,
  connect,
  inDapp,
  reject,
  request,
  status,
  walletPrompt,
} from './support/postern'
import { expect, test } from './support/test'

const chainOne = createPublicClient({ transport: http('http://127.0.0.1:8545') })
const addressOf = (account: number) => devnetAccounts[account]?.address ?? '0x'

test.describe('while disconnected', () => {
  test('@connect Postern announces itself by EIP-6963, frozen, and again on request', async ({ page, visit }) => {
    await visit({ wallets: [] })
    const announced = await inDapp(
      page,
      (postern) =>
        new Promise<unknown>((resolve) => {
          window.addEventListener('eip6963:announceProvider', (event) => {
            if (!(event instanceof CustomEvent)) return
            const { info, provider } = event.detail
            resolve({
              rdns: info.rdns,
              name: info.name,
              icon: String(info.icon).startsWith('data:image/'),
              uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(info.uuid),
              frozen: Object.isFrozen(event.detail) && Object.isFrozen(info),
              same: provider === postern.eip155,
            })
          })
          window.dispatchEvent(new Event('eip6963:requestProvider'))
        }),
    )
    expect(announced).toEqual({
      rdns: 'dev.postern.wallet',
      name: 'Postern',
      icon: true,
      uuid: true,
      frozen: true,
      same: true,
    })
  })
})

test.describe('connecting by eth_requestAccounts', () => {
  test('@main @connect @smoke opens the modal and returns the account; two calls share one modal', async ({
    page,
    visit,
    lane,
  }) => {
    await visit()
    const first = request(page, 'eth_requestAccounts')
    const second = request(page, 'eth_requestAccounts')
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    expect(await first).toEqual({ result: [addressOf(lane.account)] })
    expect(await second).toEqual({ result: [addressOf(lane.account)] })
    await expect(card(page)).toBeHidden()
    expect(await request(page, 'eth_requestAccounts')).toEqual({ result: [addressOf(lane.account)] })
    await expect(card(page)).toBeHidden()
  })

  test('@connect @siwx wallet_connect connects and signs in at the page’s own domain only', async ({
    page,
    visit,
    lane,
  }) => {
    await visit()
    const signIn = (more: object) =>
      request(page, 'wallet_connect', [
        { version: '1', capabilities: { signInWithEthereum: { nonce: 'a1b2c3d4', chainId: '0x7a69', ...more } } },
      ])
    const asked = signIn({ statement: 'Welcome back.' })
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await approve(page)
    const outcome = await asked
    const address = addressOf(lane.account)
    const message = expect.stringContaining(`${new URL(page.url()).host} wants you to sign in`)
    expect(outcome).toEqual({
      result: {
        accounts: [
          { address, capabilities: { signInWithEthereum: { message, signature: expect.stringMatching(/^0x/) } } },
        ],
      },
    })
    const proof = JSON.parse(JSON.stringify(outcome)).result.accounts[0].capabilities.signInWithEthereum
    expect(await verifyMessage({ address, ...proof })).toBe(true)
    expect(proof.message.split('\n')).toEqual(
      expect.arrayContaining([address, 'Welcome back.', `URI: ${new URL(page.url()).origin}`, 'Nonce: a1b2c3d4']),
    )
    await expect(card(page)).toBeHidden()

    expect(await signIn({ domain: 'bank.example' })).toMatchObject({ code: -32602 })
    expect(await request(page, 'wallet_disconnect')).toEqual({ result: null })
    expect(await request(page, 'eth_accounts')).toEqual({ result: [] })
  })
})

test.describe('with an injected wallet connected', () => {
  test('@main @connect @smoke requests go straight to the wallet, not through the frame', async ({
    page,
    visit,
    lane,
  }) => {
    await spyOnPorts(page)
    await visit()
    await connect(page)
    const before = (await sentOverPorts(page)).length
    const signing = request(page, 'personal_sign', ['0x68656c6c6f', addressOf(lane.account)])
    await approve(page)
    const outcome = await signing
    const signature = 'result' in outcome ? String(outcome.result) : ''
    expect(
      await verifyMessage({ address: addressOf(lane.account), message: 'hello', signature: `0x${signature.slice(2)}` }),
    ).toBe(true)
    expect(await request(page, 'eth_accounts')).toEqual({ result: [addressOf(lane.account)] })
    expect(await request(page, 'eth_blockNumber')).toEqual({ result: expect.stringMatching(/^0x/) })
    const crossed = (await sentOverPorts(page)).slice(before)
    expect(crossed.filter(({ kind }) => kind === 'request')).toEqual([])
    expect(JSON.stringify(crossed)).not.toContain('personal_sign')
  })

  test('@main @connect signs typed data and mines a transaction', async ({ page, visit, lane }) => {
    await visit()
    await connect(page)
    const to = '0x000000000000000000000000000000000000dEaD'
    const before = await chainOne.getBalance({ address: to })
    const sending = request(page, 'eth_sendTransaction', [{ from: addressOf(lane.account), to, value: '0x1' }])
    await expect(walletPrompt(page)).toContainText('Send a transaction')
    await approve(page)
    const outcome = await sending
    const hash = 'result' in outcome ? String(outcome.result) : ''
    const receipt = await chainOne.waitForTransactionReceipt({ hash: `0x${hash.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect(receipt.from.toLowerCase()).toBe(addressOf(lane.account).toLowerCase())
    expect(await chainOne.getBalance({ address: to })).toBeGreaterThan(before)

    const typed = JSON.stringify({
      types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      domain: { name: 'e2e' },
      message: { text: 'hello' },
    })
    const signing = request(page, 'eth_signTypedData_v4', [addressOf(lane.account), typed])
    await approve(page)
    expect(await signing).toEqual({ result: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
  })

  test('@connect eth_sendTransactionSync resolves with the receipt, and with 4001 if the user declines', async ({
    page,
    visit,
    lane,
  }) => {
    await visit()
    await connect(page)
    const from = addressOf(lane.account)
    const to = '0x000000000000000000000000000000000000dEaD'
    const send = () => request(page, 'eth_sendTransactionSync', [{ from, to, value: '0x1' }, 30_000])
    const sending = send()
    await expect(walletPrompt(page)).toContainText('Send a transaction')
    await approve(page)
    const { result } = JSON.parse(JSON.stringify(await sending))
    const { blockNumber, transactionHash } = await chainOne.getTransactionReceipt({ hash: result.transactionHash })
    expect(result).toMatchObject({ status: '0x1', from: from.toLowerCase(), to: to.toLowerCase(), transactionHash })
    expect(BigInt(result.blockNumber)).toBe(blockNumber)

    const declined = send()
    await reject(page)
    expect(await declined).toMatchObject({ code: 4001 })
  })

  test('@main @connect emits each event once: connect, accountsChanged, chainChanged, disconnect', async ({
    page,
    visit,
    lane,
  }) => {
    await visit()
    await recordEvents(page)
    await connect(page)
    const switching = request(page, 'wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
    await approve(page)
    expect(await switching).toEqual({ result: null })
    await expect.poll(() => chainId(page)).toBe('eip155:31338')
    await inDapp(page, (postern) => postern.disconnect())
    await expect.poll(() => status(page)).toBe('disconnected')
    await expect.poll(() => eventsOf(page, 'disconnect')).toEqual([{ code: 4900 }])
    expect(await eventsOf(page, 'connect')).toEqual([{ chainId: '0x7a69' }])
    expect(await eventsOf(page, 'chainChanged')).toEqual(['0x7a6a'])
    expect(await eventsOf(page, 'accountsChanged')).toEqual([[addressOf(lane.account)], []])
  })
})

async function recordEvents(page: Page): Promise<void> {
  await inDapp(page, (postern) => {
    const told: { event: string; data: unknown }[] = []
    Object.assign(window, { told })
    const { eip155 } = postern
    eip155.on('connect', (data) => told.push({ event: 'connect', data }))
    eip155.on('accountsChanged', (data) => told.push({ event: 'accountsChanged', data }))
    eip155.on('chainChanged', (data) => told.push({ event: 'chainChanged', data }))
    eip155.on('disconnect', ({ code }) => told.push({ event: 'disconnect', data: { code } }))
  })
}

const eventsOf = (page: Page, name: string): Promise<unknown> =>
  page.evaluate(`told.filter(({ event }) => event === ${JSON.stringify(name)}).map(({ data }) => data)`)
