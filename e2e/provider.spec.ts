import { devnetAccounts } from '@postern/devnet'
import { createPublicClient, http, verifyMessage } from 'viem'
import { sentOverPorts, spyOnPorts } from './support/ports'
import { approve, card, chooseWallet, connect, inDapp, request, walletPrompt } from './support/postern'
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
})
