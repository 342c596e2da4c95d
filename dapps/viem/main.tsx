/** A viem app; it finds Postern only by EIP-6963. */
import {
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  type EIP1193Provider,
  getAddress,
  http,
  parseEther,
  verifyMessage,
} from 'viem'
import { devnet, rpcUrl } from '../devnet'
import { createPage } from '../document'

type Announcement = CustomEvent<{ readonly info: { readonly name: string }; readonly provider: EIP1193Provider }>

const isAnnouncement = (event: Event): event is Announcement => event instanceof CustomEvent

const provider = new Promise<EIP1193Provider>((resolve) => {
  window.addEventListener('eip6963:announceProvider', (event) => {
    if (isAnnouncement(event) && event.detail.info.name === 'Postern') resolve(event.detail.provider)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
})

const node = createPublicClient({ chain: devnet, transport: http(rpcUrl) })
const elsewhere = defineChain({ ...devnet, id: 424242, name: 'Elsewhere' })

async function client() {
  const transport = custom(await provider)
  const [account] = await createWalletClient({ transport }).getAddresses()
  return createWalletClient({ account: account ?? getAddress(`0x${'0'.repeat(40)}`), chain: devnet, transport })
}

const page = createPage('A viem app', {
  Connect: async () => {
    const wallet = createWalletClient({ transport: custom(await provider) })
    const [account] = await wallet.requestAddresses()
    page.say('Account', account ?? '')
    page.say('Chain', String(await wallet.getChainId()))
    return 'connected'
  },
  Sign: async () => {
    const wallet = await client()
    const message = 'Hello from viem'
    const signature = await wallet.signMessage({ message })
    const { address } = wallet.account
    const isOwn = await node.verifyMessage({ address, message, signature }).catch(() => false)
    return isOwn || (await verifyMessage({ address, message, signature })) ? 'verified' : 'not verified'
  },
  Send: () => send('0.01'),
  'Send a million': () => send('1000000'),
  Deploy: async () => {
    const hash = await (await client()).deployContract({ abi: [], bytecode: '0x600060005360016000f3' })
    return (await node.waitForTransactionReceipt({ hash })).contractAddress ?? 'no contract'
  },
  'Add another chain': async () => {
    await (await client()).addChain({ chain: elsewhere })
    return 'added'
  },
  'Try a method': async () => {
    const provider: { request(call: { method: string }): Promise<unknown> } = await client()
    return String(await provider.request({ method: 'wallet_inventsSomething' }))
  },
})

async function send(ether: string): Promise<string> {
  const hash = await (await client()).sendTransaction({ to: getAddress(page.typed('To')), value: parseEther(ether) })
  return `receipt ${(await node.waitForTransactionReceipt({ hash })).status}`
}
