/** One key with a smart account (batches, sponsored fees) and a plain one. */
import type { Page } from '@playwright/test'
import { devnetAccounts, devnetContracts, devnetToken } from '@postern/devnet'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  parseAbi,
  parseEther,
  parseTransaction,
  parseUnits,
  recoverMessageAddress,
  toHex,
} from 'viem'
import * as z from 'zod/mini'
import { installClock, skipPolls } from './support/clock'
import { allChains } from './support/dapp'
import {
  approveRequest,
  askAndApprove,
  bytesOf,
  bytesOnShow,
  chooseAccount,
  listenFor,
  newEvmAddress,
  reloadWalletFrame,
  shown,
  signedIn,
} from './support/embedded'
import { dollars, evm, mintDollars, secondEvm } from './support/money'
import { addressesIn, card, inDapp, modal, openModal, press, request, statusIn, textOf } from './support/postern'
import { feeOnShow, rollupFee } from './support/rollup'
import { expect, test } from './support/test'

// Only the first chain sponsors fees.
const spender = getAddress('0x00000000000000000000000000000000000b0b02')
const dollar = { address: devnetContracts.dollar, abi: devnetToken.abi } as const
const permit2Abi = parseAbi(['function transferFrom(address from, address to, uint160 amount, address token)'])

const CallData = z.object({ callData: z.string() })
const CallsStatus = z.object({
  status: z.int(),
  atomic: z.boolean(),
  receipts: z.optional(z.array(z.object({ transactionHash: z.custom<Hex>((value) => isHex(value)) }))),
})
const Granted = z.object({
  result: z.object({ context: z.string(), signerData: z.object({ submitToAddress: z.string() }) }),
})

async function outcomeOf(page: Page, id: string): Promise<z.infer<typeof CallsStatus>> {
  const ask = async () => {
    const asked = await request(page, 'wallet_getCallsStatus', [id])
    return CallsStatus.parse('result' in asked ? asked.result : asked)
  }
  await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).not.toBe(100)
  return ask()
}

async function signatureOf(page: Page, account: Address, message: string): Promise<Hex> {
  return bytesOf(await askAndApprove(page, request(page, 'personal_sign', [toHex(message), account])))
}

test('@main @embedded a smart account before and after its deployment, with sponsored fees', async ({
  page,
  visit,
  lane,
}) => {
  await holdWalletPort(page)
  // The dapp's choice: the project has made none.
  await visit({ wallets: [], networks: allChains, attributes: { features: JSON.stringify({ smartSessions: true }) } })
  const { eip155: smart } = await signedIn(page)
  const recipient = newEvmAddress()

  await test.step('has an address and signs before it is deployed', async () => {
    expect(await initSmartAccount(page)).toMatchObject({ address: smart, isDeployed: false })
    expect(await evm.getCode({ address: smart })).toBeUndefined()
    const signature = await signatureOf(page, smart, 'Before')
    expect(signature).toMatch(/(6492){16}$/)
    expect(await evm.verifyMessage({ address: smart, message: 'Before', signature })).toBe(true)
    expect(await evm.verifyMessage({ address: smart, message: 'Another', signature })).toBe(false)
  })

  const setUpLater = modal(page).getByText('Set up automatically with your first transaction.')
  await test.step('the account says that it is set up with the first transaction', async () => {
    await openModal(page)
    await press(modal(page).getByRole('button', { name: /^Account type/ }))
    await expect(setUpLater).toBeVisible()
    await inDapp(page, (postern) => postern.close())
  })

  await test.step('reports its capabilities', async () => {
    const able = { atomic: { status: 'supported' }, permissions: { supported: true } }
    expect(await request(page, 'wallet_getCapabilities', [smart])).toMatchObject({
      result: {
        '0x7a69': { ...able, paymasterService: { supported: true } },
        '0x7a6a': { ...able, paymasterService: { supported: false } },
      },
    })
  })

  await test.step('two batched calls without a balance, which deploy it', async () => {
    await mintDollars(smart, parseUnits('10', 6))
    const call = (data: Hex) => ({ to: dollar.address, data })
    const sent = request(page, 'wallet_sendCalls', [
      {
        version: '2.0.0',
        from: smart,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [
          call(encodeFunctionData({ ...dollar, functionName: 'transfer', args: [recipient, parseUnits('1.5', 6)] })),
          call(encodeFunctionData({ ...dollar, functionName: 'approve', args: [spender, parseUnits('2', 6)] })),
        ],
      },
    ])
    let callData = ''
    const answer = await askAndApprove(page, sent, async (approval) => {
      for (const text of [
        'Paid for you',
        'Set up your smart account',
        '1.5',
        'DUSD',
        recipient,
        'Allow spending',
        spender,
      ])
        await expect(approval).toContainText(text)
      callData = CallData.parse(JSON.parse(await bytesOnShow(page, 'operation'))).callData
    })
    const { status, atomic, receipts } = await outcomeOf(page, textOf(answer, 'id'))
    expect({ status, atomic }).toEqual({ status: 200, atomic: true })
    const [receipt] = receipts ?? []
    if (receipt === undefined) throw new Error('There is no receipt.')
    // On screen is what the chain received.
    expect((await evm.getTransaction({ hash: receipt.transactionHash })).input).toContain(callData.slice(2))
    expect(await dollars(recipient)).toBe(parseUnits('1.5', 6))
    expect(await evm.readContract({ ...dollar, functionName: 'allowance', args: [smart, spender] })).toBe(
      parseUnits('2', 6),
    )
    expect(await evm.getBalance({ address: smart })).toBe(0n)
  })

  await test.step('is deployed, and signs as a contract', async () => {
    expect(await initSmartAccount(page)).toMatchObject({ address: smart, isDeployed: true })
    expect(await evm.getCode({ address: smart })).toBeDefined()
    const signature = await signatureOf(page, smart, 'After')
    expect(signature).not.toMatch(/(6492){16}$/)
    expect(await evm.verifyMessage({ address: smart, message: 'After', signature })).toBe(true)
  })

  await test.step('the account no longer says that it is set up later', async () => {
    await openModal(page)
    await press(modal(page).getByRole('button', { name: /^Account type/ }))
    await expect(card(page, 'Account type')).toBeVisible()
    await expect(setUpLater).toBeHidden()
    await inDapp(page, (postern) => postern.close())
  })

  await test.step('lists its assets', async () => {
    const assets = [
      { address: 'native', type: 'native' },
      { address: dollar.address, type: 'erc20' },
    ]
    const asked = { account: smart, assetFilter: { '0x7a69': assets } }
    expect(await request(page, 'wallet_getAssets', [asked])).toMatchObject({
      result: {
        '0x7a69': [
          { type: 'NATIVE', balance: '0x0' },
          { type: 'ERC20', balance: toHex(parseUnits('8.5', 6)), metadata: { symbol: 'DUSD', decimals: 6 } },
        ],
      },
    })
  })

  await test.step('discovers its assets without a filter', async () => {
    const found = () => request(page, 'wallet_getAssets', [{ account: smart, chainFilter: ['0x7a69'] }])
    const balance = toHex(parseUnits('8.5', 6))
    // The gateway's balances may be 30 s old.
    await expect.poll(async () => JSON.stringify(await found()), { timeout: 40_000 }).toContain(balance)
    expect(await found()).toMatchObject({
      result: { '0x7a69': [{ type: 'NATIVE' }, { type: 'ERC20', balance, metadata: { symbol: 'DUSD', decimals: 6 } }] },
    })
  })

  await test.step('grants, uses and revokes a permission', async () => {
    const signer = devnetAccounts[lane.otherAccount]
    if (signer === undefined) throw new Error('The devnet has too few accounts.')
    const { timestamp } = await evm.getBlock()
    const granting = request(page, 'wallet_grantPermissions', [
      {
        chainId: '0x7a69',
        expiry: Number(timestamp) + 3_600,
        signer: { type: 'account', data: { address: signer.address } },
        permissions: [
          {
            type: 'erc20-token-transfer',
            data: { address: dollar.address },
            policies: [{ type: 'token-allowance', data: { allowance: toHex(parseUnits('3', 6)) } }],
          },
        ],
      },
    ])
    const answer = await askAndApprove(page, granting, async (approval) => {
      for (const text of ['Grant permission', signer.address]) await expect(approval).toContainText(text)
    })
    const { context, signerData } = Granted.parse(answer).result
    const move = async (amount: string) => {
      const { request } = await evm.simulateContract({
        account: signer,
        address: getAddress(signerData.submitToAddress),
        abi: permit2Abi,
        functionName: 'transferFrom',
        args: [smart, recipient, parseUnits(amount, 6), dollar.address],
      })
      await evm.waitForTransactionReceipt({ hash: await evm.writeContract({ ...request, chain: null }) })
    }
    await move('2')
    expect(await dollars(recipient)).toBe(parseUnits('3.5', 6))
    await expect(move('1.1')).rejects.toThrow()
    const revoking = request(page, 'wallet_revokePermissions', [{ permissionsContext: context }])
    await askAndApprove(page, revoking, (approval) => expect(approval).toContainText('Revoke permission'))
    await expect(move('1')).rejects.toThrow()
    expect(await dollars(recipient)).toBe(parseUnits('3.5', 6))
  })
})

test('@embedded both accounts pay for themselves, once, and the choice between them persists', async ({
  page,
  visit,
}) => {
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: smart } = await signedIn(page)
  const plain = getAddress((await addressesIn(page, 'eip155'))[1] ?? '')
  const recipient = newEvmAddress()
  const received = () => secondEvm.getBalance({ address: recipient })
  const send = () => request(page, 'eth_sendTransaction', [{ to: recipient, value: toHex(parseEther('0.25')) }])

  await test.step('the same account on another chain, which pays for its own deployment', async () => {
    await inDapp(page, (postern) => postern.switchNetwork('eip155:31338'))
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([smart, plain])
    // No prompt if the balance is too low.
    expect(await send()).toMatchObject({ message: expect.stringMatching(/insufficient funds/i) })
    await expect(card(page)).toBeHidden()
    await secondEvm.setBalance({ address: smart, value: parseEther('2') })
    const answer = await askAndApprove(page, send(), async (approval) => {
      for (const text of ['Max network fee', 'Set up your smart account']) await expect(approval).toContainText(text)
      await expect(approval).not.toContainText('Paid for you')
    })
    expect(await secondEvm.waitForTransactionReceipt({ hash: bytesOf(answer) })).toMatchObject({ status: 'success' })
    expect(await received()).toBe(parseEther('0.25'))
    expect(await secondEvm.getBalance({ address: smart })).toBeLessThan(parseEther('1.75'))
    expect(await secondEvm.getCode({ address: smart })).toBeDefined()
  })

  await test.step('batched calls at its own expense', async () => {
    const call = { to: recipient, value: toHex(parseEther('0.125')) }
    const calls = { version: '2.0.0', from: smart, chainId: '0x7a6a', atomicRequired: true, calls: [call, call] }
    const answer = await askAndApprove(page, request(page, 'wallet_sendCalls', [calls]), async (approval) => {
      for (const text of ['Paid for you', 'Set up your smart account']) await expect(approval).not.toContainText(text)
    })
    expect(await outcomeOf(page, textOf(answer, 'id'))).toMatchObject({ status: 200, atomic: true })
    expect(await received()).toBe(parseEther('0.5'))
  })

  await test.step('an unreachable bundler is reported instead of an approval', async () => {
    await page.route('**/v1/bundler?*', (route) => route.abort('connectionrefused'))
    const sent = send()
    const approval = await shown(page, sent)
    await expect(approval.getByText(/^Can’t reach \S/)).toBeVisible()
    await expect(approval.getByRole('button', { name: 'Approve', exact: true })).toBeHidden()
    await page.unroute('**/v1/bundler?*')
    await approval.getByRole('button', { name: 'Decline' }).click()
    expect(await sent).toMatchObject({ code: 4001 })
    await expect(card(page)).toBeHidden()
  })

  await test.step('an unconfirmed transaction shows as sent, and then as confirmed', async () => {
    await page.route('**/v1/bundler?*', (route) =>
      route.request().postData()?.includes('eth_getUserOperationReceipt')
        ? route.abort('connectionreset')
        : route.continue(),
    )
    const other = newEvmAddress()
    const sent = request(page, 'eth_sendTransaction', [{ to: other, value: toHex(parseEther('0.125')) }])
    await shown(page, sent)
    await approveRequest(page)
    expect(await skipPolls(page, () => sent)).toMatchObject({
      code: -32_002,
      message: 'The transaction isn’t confirmed yet',
    })
    await expect(card(page)).toContainText('Sent')
    const confirmed = await listenFor(modal(page).locator('body'), 'Confirmed')
    await page.unroute('**/v1/bundler?*')
    await skipPolls(page, confirmed)
    expect(await secondEvm.getBalance({ address: other })).toBe(parseEther('0.125'))
    await skipPolls(page, () => expect(card(page)).toBeHidden())
    // A page that asks again still pays only once.
    expect(await send()).toMatchObject({ message: expect.stringContaining('was carried out after all') })
  })

  await test.step('a transaction whose result was lost: the next try reports it, and pays nothing', async () => {
    const isSent = new Promise<void>((resolve) => {
      void page.route('**/v1/bundler?*', async (route) => {
        if (route.request().postData()?.includes('eth_getUserOperationReceipt')) resolve()
        else await route.continue()
      })
    })
    const lost = send()
    await shown(page, lost)
    await approveRequest(page)
    await isSent
    await reloadWalletFrame(page)
    expect(await lost).toMatchObject({ message: expect.stringContaining('outcome is unknown') })
    await press(card(page).getByRole('button', { name: 'Done' }))
    await page.unroute('**/v1/bundler?*')
    // Another test may be mining by hand.
    await expect.poll(received, { timeout: 60_000 }).toBe(parseEther('0.75'))
    expect(await send()).toMatchObject({ message: expect.stringContaining('was carried out after all') })
    await expect(card(page)).toBeHidden()
    expect(await received()).toBe(parseEther('0.75'))
    // A deliberate retry pays again.
    await askAndApprove(page, send())
    expect(await received()).toBe(parseEther('1'))
  })

  await test.step('the plain account, chosen in the modal', async () => {
    await page.evaluate(() => {
      const changes: unknown[] = []
      Object.assign(window, { changes })
      window.Postern?.eip155.on('accountsChanged', (accounts: unknown) => changes.push(accounts))
    })
    await openModal(page)
    await chooseAccount(page, { from: 'Smart account', to: 'Standard account' })
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([plain, smart])
    expect(await page.evaluate('changes')).toEqual([[plain, smart]])
    await inDapp(page, (postern) => postern.close())
    const signature = await signatureOf(page, plain, 'By the plain account')
    expect(await recoverMessageAddress({ message: 'By the plain account', signature })).toBe(plain)
    await secondEvm.setBalance({ address: plain, value: parseEther('1') })
    const outcome = await askAndApprove(page, send(), async (approval) => {
      const unsigned = bytesOf({ result: await bytesOnShow(page, 'unsigned') })
      const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(unsigned)
      // Half as much again as the current fee.
      const atMost = gas * maxFeePerGas + ((await rollupFee(unsigned, gas)) * 3n) / 2n
      const shown = await feeOnShow(approval, 'Max network fee')
      expect(shown).toBeGreaterThanOrEqual(atMost)
      expect(shown).toBeLessThan(atMost + atMost / 1_000n)
    })
    const receipt = await secondEvm.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    expect(receipt.status).toBe('success')
    expect(getAddress(receipt.from)).toBe(plain)
  })

  await test.step('the choice applies to one network, and persists (spec §3, §6, §7)', async () => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await expect.poll(() => statusIn(page, 'eip155'), { timeout: 60_000 }).toBe('connected')
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([plain, smart])
    await inDapp(page, (postern) => postern.switchNetwork('eip155:31337'))
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([smart, plain])
    await inDapp(page, (postern) => postern.switchNetwork('eip155:31338'))
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([plain, smart])
    await openModal(page)
    await chooseAccount(page, { from: 'Standard account', to: 'Smart account' })
    await expect.poll(() => addressesIn(page, 'eip155')).toEqual([smart, plain])
  })
})

/** For requests without a button. Call before opening the page. */
async function holdWalletPort(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (this: MessagePort, ...rest: unknown[]) {
      const [message] = rest
      const type = typeof message === 'object' && message !== null ? Reflect.get(message, 'type') : undefined
      if (typeof type === 'string' && type.startsWith('@w3m-app/')) Object.assign(window, { walletPort: this })
      return Reflect.apply(postMessage, this, rest)
    }
  })
}

async function initSmartAccount(page: Page): Promise<unknown> {
  const host = page.frames().find((frame) => frame.url().includes('//modal.postern.'))
  return host?.evaluate(
    () =>
      new Promise((resolve) => {
        const port: unknown = Reflect.get(window, 'walletPort')
        if (!(port instanceof MessagePort)) throw new Error('The modal has not spoken with the wallet.')
        const id = crypto.randomUUID()
        port.addEventListener('message', ({ data }) => {
          if (data?.id === id) resolve(data.payload)
        })
        port.postMessage({ id, type: '@w3m-app/INIT_SMART_ACCOUNT' })
      }),
  )
}
