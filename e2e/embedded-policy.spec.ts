/** What the embedded wallet refuses, what it asks about, and that it signs what is on screen. */
import { devnetContracts, devnetToken } from '@postern/devnet'
import { type Address, encodeFunctionData, getAddress, maxUint256, parseEther, parseGwei, toHex } from 'viem'
import { secondChainAlone } from './support/alone'
import {
  bitcoinAddress,
  broadcast,
  fund,
  mine,
  paidTo,
  previousOf,
  psbtFrom,
  transactionOf,
  unsignedOf,
} from './support/bitcoin'
import { installClock, skipPolls } from './support/clock'
import { allChains, solanaNetwork } from './support/dapp'
import {
  approvalOf,
  approveButton,
  approveRequest,
  askAndApprove,
  bytesOf,
  bytesOnShow,
  declineRequest,
  listenFor,
  newEvmAddress,
  shown,
  signedIn,
  signInMessage,
  untilSaid,
} from './support/embedded'
import { evm, secondEvm } from './support/money'
import { addressesIn, card, inDapp, modal, press, request, requestIn, textOf } from './support/postern'
import { airdrop, isThatSignedBy, messageBytes, newSolanaAddress, programCall, transfer } from './support/solana'
import { expect, test } from './support/test'

const spender = getAddress('0x00000000000000000000000000000000000c0c01')
const notFound = { code: -32601 }
const notAllowed = { code: 4200, message: 'Requested RPC call is not allowed' }
const declined = { code: 4001 }

test('@main @embedded refuses requests, or asks for approval (spec §2, §5, §6)', async ({
  page,
  visit,
  pageErrors,
}) => {
  // In the frame: that is where a press waits until the card was visible.
  const dapp = new URL(await visit({ projectId: 'trusted', wallets: [], networks: allChains }))
  const { eip155: account, solana } = await signedIn(page)
  const sign = (text: string) => request(page, 'personal_sign', [toHex(text), account])

  await test.step('an unlisted method opens the modal and rejects the pending request', async () => {
    const waiting = sign('It waits')
    await shown(page, waiting)
    expect(await request(page, 'eth_sign', [account, toHex('x')])).toMatchObject(notAllowed)
    expect(await waiting).toMatchObject(declined)
    await expect(modal(page).getByText('Action not allowed')).toBeVisible()
    for (const method of ['eth_signTypedData', 'eth_signTransaction', 'eth_decrypt'])
      expect(await request(page, method, [account])).toMatchObject(notAllowed)
    await press(modal(page).getByRole('button', { name: 'Close' }))
    await expect(card(page)).toBeHidden()
  })

  await test.step('a method that no wallet must have is not found, and nothing opens or is rejected', async () => {
    for (const method of [
      'wallet_exportKey',
      'constructor',
      'eth_subscribe',
      'wallet_sendTransaction',
      'eth_getEncryptionPublicKey',
    ])
      expect(await request(page, method, [account])).toMatchObject(notFound)
    expect(await requestIn(page, 'solana', 'solana_exportKey', {})).toMatchObject(notFound)
    await expect(card(page)).toBeHidden()
  })

  await test.step('signs nothing for another account', async () => {
    expect(await request(page, 'personal_sign', [toHex('x'), spender])).toMatchObject({ code: 4100 })
    expect(await request(page, 'eth_sendTransaction', [{ from: spender, to: account }])).toMatchObject({ code: 4100 })
    await expect(card(page)).toBeHidden()
  })

  await test.step('closing the modal declines', async () => {
    const waiting = sign('Left alone')
    await shown(page, waiting)
    await press(modal(page).getByRole('button', { name: 'Close' }))
    expect(await waiting).toMatchObject(declined)
    await expect(card(page)).toBeHidden()
  })

  await test.step('three requests wait in order', async () => {
    const [first, second, third] = [sign('The first'), sign('The second'), sign('The third')]
    const approval = await shown(page, first)
    await expect(approval).toContainText('1 of 3')
    await expect(approval).toContainText('The first')
    await approveRequest(page)
    expect(await evm.verifyMessage({ address: account, message: 'The first', signature: bytesOf(await first) })).toBe(
      true,
    )
    await expect(approval).toContainText('1 of 2')
    await expect(approval).toContainText('The second')
    await declineRequest(page)
    expect(await second).toMatchObject(declined)
    await expect(approval).toContainText('The third')
    await press(modal(page).getByRole('button', { name: 'Close' }))
    expect(await third).toMatchObject(declined)
  })

  await test.step('a press counts only if the button was visible for long enough', async () => {
    await page.evaluate(() => {
      const cover = document.createElement('div')
      cover.id = 'cover'
      cover.popover = 'manual'
      cover.style.cssText =
        'position:fixed;inset:0;width:100vw;height:100vh;margin:0;border:0;background:#fffc;pointer-events:none'
      document.body.append(cover)
    })
    const waiting = sign('Under a cover')
    await shown(page, waiting)
    await page.evaluate(() => document.getElementById('cover')?.showPopover())
    const button = approveButton(page)
    await expect(button).toBeDisabled()
    await expect(approvalOf(page)).toContainText('Make sure this window is fully visible and nothing covers it.')
    // The page passes presses through to the covered button.
    await button.click({ force: true })
    await page.evaluate(() => document.getElementById('cover')?.remove())
    await expect(button).toBeEnabled()
    await declineRequest(page)
    expect(await waiting).toMatchObject(declined)
  })

  await test.step('refuses a sign-in message of another site', async () => {
    const foreign = signInMessage({ host: 'bank.example', account, chainId: 31337 })
    const waiting = sign(foreign)
    const approval = await shown(page, waiting)
    await expect(approval).toContainText('Possible scam.')
    await expect(approval).toContainText('bank.example')
    await expect(approval.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    await declineRequest(page)
    expect(await waiting).toMatchObject(declined)

    const onSolana = messageBytes(foreign.replace('Ethereum', 'Solana').replace(account, solana))
    const other = requestIn(page, 'solana', 'solana_signMessage', { message: onSolana, network: solanaNetwork })
    await expect(await shown(page, other)).toContainText('Possible scam.')
    await declineRequest(page)
    expect(await other).toMatchObject(declined)

    const message = signInMessage({ host: dapp.host, account, chainId: 31337 })
    const own = await askAndApprove(page, sign(message), async (approval) => {
      await expect(approval).toContainText('Sign in')
      await expect(approval).not.toContainText('Possible scam.')
    })
    expect(await evm.verifyMessage({ address: account, message, signature: bytesOf(own) })).toBe(true)
  })
  expect(pageErrors).toEqual([])
})

test('@main @embedded signs exactly the request on screen', async ({ page, visit }) => {
  await visit({ wallets: [], networks: allChains })
  const { eip155: account, solana, bip122: bitcoin } = await signedIn(page)

  await test.step('an unlimited allowance', async () => {
    const { dollar } = devnetContracts
    const data = encodeFunctionData({ abi: devnetToken.abi, functionName: 'approve', args: [spender, maxUint256] })
    const sent = request(page, 'eth_sendTransaction', [{ from: account, to: dollar, data }])
    const outcome = await askAndApprove(page, sent, async (approval) => {
      for (const text of ['Unlimited spending.', 'Unlimited', spender, dollar])
        await expect(approval).toContainText(text)
      expect(await bytesOnShow(page, 'operation')).toContain(data.slice(2))
    })
    await evm.waitForTransactionReceipt({ hash: bytesOf(outcome) })
    const token = { address: dollar, abi: devnetToken.abi } as const
    expect(await evm.readContract({ ...token, functionName: 'allowance', args: [account, spender] })).toBe(maxUint256)
  })

  await test.step('an allowance by signature', async () => {
    const permit = {
      domain: { name: 'Devnet Dollar', version: '1', chainId: 31337, verifyingContract: devnetContracts.dollar },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: account, spender, value: 2_500_000n, nonce: 0n, deadline: 4_102_444_800n },
    } as const
    const signed = signTyped(permit, domainOf)
    const outcome = await askAndApprove(page, signed, async (approval) => {
      await expect(approval).toContainText('Allow spending (signature)')
      await expect(approval).toContainText(spender)
      await expect(approval).toContainText('2.5')
      await expect(approval).toContainText('2100')
    })
    expect(await evm.verifyTypedData({ address: account, ...permit, signature: bytesOf(outcome) })).toBe(true)
  })

  await test.step('arbitrary typed data, to the last leaf', async () => {
    const order = {
      domain: { name: 'A market', chainId: 31337 },
      types: {
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallet', type: 'address' },
        ],
        Order: [
          { name: 'buyer', type: 'Person' },
          { name: 'lots', type: 'uint256[]' },
        ],
      },
      primaryType: 'Order',
      message: { buyer: { name: 'Ada', wallet: spender }, lots: [7n, 11n] },
    } as const
    const signed = signTyped(order, [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ])
    const outcome = await askAndApprove(page, signed, async (approval) => {
      for (const text of ['Order', 'Ada', spender, '7', '11', 'A market']) await expect(approval).toContainText(text)
    })
    expect(await evm.verifyTypedData({ address: account, ...order, signature: bytesOf(outcome) })).toBe(true)
  })

  await test.step('an unknown Solana program', async () => {
    const program = newSolanaAddress()
    const transaction = await programCall(solana, program, Uint8Array.of(1, 2, 3, 250))
    const signed = requestIn(page, 'solana', 'solana_signTransaction', { transaction, network: solanaNetwork })
    const outcome = await askAndApprove(page, signed, async (approval) => {
      await expect(approval).toContainText(program)
      await expect(approval).toContainText('We couldn’t fully read this request.')
    })
    expect(isThatSignedBy(transaction, textOf(outcome, 'transaction'), solana)).toBe(true)
  })

  await test.step('a Bitcoin transaction', async () => {
    const recipient = bitcoinAddress(9)
    const outputs = [
      { address: recipient, value: 30_000 },
      { address: bitcoin, value: 69_000 },
    ]
    const sign = (psbt: string) =>
      requestIn(page, 'bip122', 'bip122_signPsbt', { psbt, signInputs: [{ index: 0, address: bitcoin }] })
    const psbt = await psbtFrom(bitcoin, outputs)
    const outcome = await askAndApprove(page, sign(psbt), async (approval) => {
      for (const text of ['0.0003', recipient, '0.00069', 'Your change', bitcoin, '0.00001'])
        await expect(approval).toContainText(text)
      // With the transaction that made the coin, as the proof of its value.
      const shown = await bytesOnShow(page, 'psbt')
      expect(unsignedOf(shown)).toBe(unsignedOf(psbt))
      expect(previousOf(shown)).toHaveLength(1)
    })
    const txid = await broadcast(transactionOf(textOf(outcome, 'psbt')))
    await mine()
    expect(await paidTo(String(txid), recipient)).toBe(30_000)

    // SIGHASH_NONE: anyone could choose where the coins go. Refused without a prompt.
    expect(await sign(await psbtFrom(bitcoin, outputs, 2))).toMatchObject({ code: -32602 })

    // SIGHASH_SINGLE with ANYONECANPAY: others may add inputs and outputs.
    const open = sign(await psbtFrom(bitcoin, outputs, 0x83))
    await expect(await shown(page, open)).toContainText('This can still change after you sign.')
    await declineRequest(page)
    expect(await open).toMatchObject(declined)
  })

  function signTyped(
    data: { readonly domain: object; readonly types: object; readonly primaryType: string; readonly message: object },
    domain: readonly { readonly name: string; readonly type: string }[],
  ) {
    const json = JSON.stringify({ ...data, types: { EIP712Domain: domain, ...data.types } }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    return request(page, 'eth_signTypedData_v4', [account, json])
  }
})

test('@embedded the outcome of a sent transaction', async ({ page, visit }) => {
  await installClock(page)
  await visit({ wallets: [], module: callingIt('Sepolia testnet', 'tETH') })
  const { solana, bip122: bitcoin } = await signedIn(page)
  await inDapp(page, (postern) => postern.switchNetwork('eip155:31338'))
  const account = getAddress((await addressesIn(page, 'eip155'))[1] ?? '')
  await secondEvm.setBalance({ address: account, value: parseEther('2') })
  const recipient = newEvmAddress()
  const value = parseEther('0.25')
  const send = (more: object = {}) =>
    request(page, 'eth_sendTransaction', [{ from: account, to: recipient, value: toHex(value), ...more }])
  const approval = card(page, 'Transaction')
  const inModal = modal(page).locator('body')
  /** Dismissed automatically. */
  async function untilConfirmed(act: () => Promise<unknown>): Promise<void> {
    const confirmed = await listenFor(inModal, 'Confirmed')
    await act()
    await skipPolls(page, confirmed)
    await skipPolls(page, () => expect(card(page)).toBeHidden())
  }
  const done = () => press(approval.getByRole('button', { name: 'Done' }))

  /**
   * Approves while no block is mined: the dapp gets its result, the user sees the pending state, and the dapp's own
   * network name never appears.
   */
  async function sendAndWait(): Promise<string> {
    const answer = await askAndApprove(page, send(), async (asked) => {
      await expect(asked).toContainText('Postern Devnet Two')
      await expect(asked).toContainText(/Max network fee[\d.\s]+ETH/)
      await expect(asked).not.toContainText(/Sepolia|tETH/)
    })
    const hash = bytesOf(answer)
    await expect(approval).toContainText('Sent')
    await expect(approval.getByTitle(hash)).toBeVisible()
    return hash
  }

  async function overtake(hash: string, to: Address, amount: bigint): Promise<void> {
    const { nonce } = await secondEvm.getTransaction({ hash: bytesOf({ result: hash }) })
    await secondEvm.impersonateAccount({ address: account })
    await secondEvm.sendUnsignedTransaction({
      from: account,
      to,
      value: amount,
      nonce,
      gas: 21_000n,
      maxFeePerGas: parseGwei('900'),
      maxPriorityFeePerGas: parseGwei('90'),
    })
    await secondEvm.mine({ blocks: 1 })
  }

  const letGo = await secondChainAlone()
  try {
    await secondEvm.setAutomine(false)
    await test.step('confirmed by a block, and the modal closes', async () => {
      await sendAndWait()
      await untilConfirmed(() => secondEvm.mine({ blocks: 1 }))
      expect(await secondEvm.getBalance({ address: recipient })).toBe(value)
    })

    await test.step('cancelled by another transaction with its nonce', async () => {
      await overtake(await sendAndWait(), account, 0n)
      await skipPolls(page, () => expect(approval).toContainText('Cancelled'))
      await done()
      await expect(card(page)).toBeHidden()
    })

    await test.step('replaced by a different transaction', async () => {
      await overtake(await sendAndWait(), recipient, 1n)
      await skipPolls(page, () => expect(approval).toContainText('Replaced'))
      await done()
      await expect(card(page)).toBeHidden()
      expect(await secondEvm.getBalance({ address: recipient })).toBe(value + 1n)
    })
  } finally {
    await secondEvm.setAutomine(true)
    await letGo()
  }

  await test.step('reverted, as the warning predicted', async () => {
    const data = encodeFunctionData({ abi: devnetToken.abi, functionName: 'transfer', args: [recipient, maxUint256] })
    const sent = send({ to: devnetContracts.dollar, value: '0x0', data, gas: toHex(100_000) })
    await askAndApprove(page, sent, (shown) => expect(shown).toContainText('This will likely fail.'))
    await skipPolls(page, () => expect(approval).toContainText('Transaction failed'))
    await expect(approval).toContainText('You paid the fee. Nothing else changed.')
    await done()
    await expect(card(page)).toBeHidden()
  })

  await test.step('on Solana', async () => {
    await airdrop(solana, 1_000_000_000)
    const transaction = await transfer('versioned', { from: solana, to: newSolanaAddress(), amount: 10_000_000 })
    const sent = requestIn(page, 'solana', 'solana_signAndSendTransaction', { transaction, network: solanaNetwork })
    await untilConfirmed(() => askAndApprove(page, sent))
  })

  await test.step('on Bitcoin, pending until its block', async () => {
    await fund(bitcoin, 100_000)
    const params = { recipientAddress: bitcoinAddress(9), amount: '20000' }
    const send = () => askAndApprove(page, requestIn(page, 'bip122', 'bip122_sendTransfer', params))
    // The shared chain may mine the next block at once.
    await untilConfirmed(async () => {
      await untilSaid(inModal, 'Waiting for the next', send)
      await mine()
    })
  })
})

const domainOf = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** An npm dapp that calls the second chain's currency a test currency. */
function callingIt(name: string, symbol: string) {
  const [first, , ...others] = allChains.split(' ')
  const second = { id: 'eip155:31338', name, nativeCurrency: { name, symbol, decimals: 6 }, testnet: true }
  return (host: string) => `
    import { createPostern } from '/client/index.js'
    import '/client/elements.js'
    const options = ${JSON.stringify({ projectId: 'demo', host, networks: [first, second, ...others] })}
    window.Postern = { ...createPostern(options), version: 'by npm' }`
}
