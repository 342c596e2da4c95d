/** Granted, described in words, and revoked on the chain. */
import { devnetContracts } from '@postern/devnet'
import { parseAbi, parseUnits, toHex } from 'viem'
import { allChains } from './support/dapp'
import { approvalOf, approveRequest, askAndApprove, shown, signedIn } from './support/embedded'
import { addressOf, evm, mintDollars } from './support/money'
import { card, modal, openModal, press, request } from './support/postern'
import { expect, test } from './support/test'

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const abi = parseAbi([
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

test('@main @money a granted permission is described in words, and ends on the chain when revoked (spec §7)', async ({
  page,
  visit,
  lane,
}) => {
  const spender = addressOf(lane.otherAccount)
  await visit({ projectId: 'sessions', wallets: [], networks: allChains })
  const { eip155: owner } = await signedIn(page)
  await mintDollars(owner, parseUnits('10', 6))
  const allowed = async () => {
    const args = [owner, devnetContracts.dollar, spender] as const
    return (await evm.readContract({ address: permit2, abi, functionName: 'allowance', args }))[0]
  }
  const { timestamp } = await evm.getBlock()
  await askAndApprove(
    page,
    request(page, 'wallet_grantPermissions', [
      {
        chainId: '0x7a69',
        expiry: Number(timestamp) + 3_600,
        signer: { type: 'account', data: { address: spender } },
        permissions: [
          {
            type: 'erc20-token-transfer',
            data: { address: devnetContracts.dollar },
            policies: [{ type: 'token-allowance', data: { allowance: toHex(parseUnits('3', 6)) } }],
          },
        ],
      },
    ]),
  )
  expect(await allowed()).toBe(parseUnits('3', 6))

  await openModal(page)
  await press(modal(page).getByRole('button', { name: 'Smart sessions' }))
  await expect(card(page, 'Smart sessions')).toContainText('3 DUSD', { timeout: 20_000 })
  await expect(card(page)).toContainText('Active')
  await press(modal(page).getByRole('button', { name: 'Revoke' }))
  await shown(page, new Promise(() => undefined))
  await expect(approvalOf(page)).toContainText('Revoke permission')
  await approveRequest(page)
  await expect.poll(allowed, { timeout: 20_000 }).toBe(0n)
  // The outcome makes room for them after some seconds.
  await expect(card(page, 'Smart sessions')).toContainText('Revoked', { timeout: 20_000 })
  await expect(modal(page).getByRole('button', { name: 'Revoke' })).toHaveCount(0, { timeout: 20_000 })
})
