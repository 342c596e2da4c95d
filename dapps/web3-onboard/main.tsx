/** A web3-onboard app as in its documentation; it finds Postern only by EIP-6963. */
import Onboard, { type WalletState } from '@web3-onboard/core'
import injectedModule from '@web3-onboard/injected-wallets'
import { createWalletClient, custom, isAddress, parseEther } from 'viem'
import { devnet, rpcUrl } from '../devnet'
import { createPage } from '../document'

const onboard = Onboard({
  wallets: [injectedModule()],
  chains: [{ id: devnet.id, token: 'ETH', label: devnet.name, rpcUrl }],
  connect: { autoConnectLastWallet: true },
  accountCenter: { desktop: { enabled: false }, mobile: { enabled: false } },
  appMetadata: { name: 'A web3-onboard app', icon: '<svg/>', description: 'An app of the devnet' },
})

function clientOf(wallet: WalletState | undefined) {
  const account = wallet?.accounts[0]?.address
  if (wallet === undefined || account === undefined || !isAddress(account)) throw new Error('No wallet is connected.')
  return createWalletClient({ account, chain: devnet, transport: custom(wallet.provider) })
}

const page = createPage('A web3-onboard app', {
  Connect: async () => (await onboard.connectWallet())[0]?.label ?? 'none',
  Sign: () => clientOf(onboard.state.get().wallets[0]).signMessage({ message: 'Hello from the kit' }),
  Send: async () => {
    const to = page.typed('To')
    if (!isAddress(to)) throw new Error('Enter an address.')
    return clientOf(onboard.state.get().wallets[0]).sendTransaction({ to, value: parseEther('0.01') })
  },
})

onboard.state.select('wallets').subscribe(([wallet]) => {
  page.say('Account', wallet?.accounts[0]?.address ?? '')
  page.say('Chain', wallet?.chains[0]?.id ?? '')
})
