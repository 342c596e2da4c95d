/** An ethers 6 app; it finds Postern only by its own EIP-6963 discovery. */
import { BrowserProvider, ContractFactory, parseEther, verifyMessage } from 'ethers'
import { createPage } from '../document'

let found: BrowserProvider | null = null

async function signer() {
  found ??= await BrowserProvider.discover({
    timeout: 20_000,
    anyProvider: true,
    filter: (providers) => providers.find(({ name }) => name === 'Postern') ?? null,
  })
  if (found === null) throw new Error('Postern was not found.')
  return found.getSigner()
}

const page = createPage('An ethers app', {
  Connect: async () => {
    const { address, provider } = await signer()
    page.say('Account', address)
    page.say('Chain', String((await provider.getNetwork()).chainId))
    return 'connected'
  },
  Sign: async () => {
    const message = 'Hello from ethers'
    return verifyMessage(message, await (await signer()).signMessage(message))
  },
  Send: () => send('0.01'),
  'Send a million': () => send('1000000'),
  'Send without a recipient': async () => (await signer()).provider.send('eth_sendTransaction', [{ to: 'nowhere' }]),
  // Its constructor returns the single byte 00 (STOP) as the contract's code.
  Deploy: async () => {
    const contract = await new ContractFactory([], '0x600060005360016000f3', await signer()).deploy()
    await contract.waitForDeployment()
    return contract.getAddress()
  },
})

async function send(ether: string): Promise<string> {
  const sent = await (await signer()).sendTransaction({ to: page.typed('To'), value: parseEther(ether) })
  const receipt = await sent.wait()
  return `receipt ${receipt?.status}`
}
