// @vitest-environment jsdom
import { createPostern, type Postern, type PosternOptions } from '@postern/client'
import { createSiwx, localSessions } from '@postern/siwx'
import { isHex, verifyMessage } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTestWallet } from '../wallets/test-wallet'
import type { ModalScript, ScriptedModal } from './script'
import { scriptModal } from './script-modal'

const ada = '0x1111111111111111111111111111111111111111'
const bob = '0x2222222222222222222222222222222222222222'

let modal: ScriptedModal
let postern: Postern
function setUp(script: ModalScript = {}, options: Partial<PosternOptions> = {}) {
  modal = scriptModal(script)
  postern = createPostern({
    projectId: 'test',
    networks: ['ethereum', 'base'],
    host: 'https://modal.example',
    ...options,
  })
}
afterEach(async () => {
  await vi.dynamicImportSettled()
  postern.destroy()
  modal.restore()
  localStorage.clear()
  vi.restoreAllMocks()
})

const accountsOf = () => postern.eip155.request({ method: 'eth_accounts' })

describe('connecting', () => {
  test('connects the account of the script, as the dapp sees it', async () => {
    setUp({ connect: { address: ada, chainId: 8453, wallet: 'Phone' } })
    const connected = vi.fn()
    postern.on('connect', connected)
    expect(await postern.connect({ namespace: 'eip155' })).toMatchObject({
      status: 'connected',
      networkId: 'eip155:8453',
      connector: { name: 'Phone' },
    })
    expect(await accountsOf()).toEqual([ada])
    expect(await postern.eip155.request({ method: 'eth_chainId' })).toBe('0x2105')
    expect(connected).toHaveBeenCalledTimes(1)
    await expect.poll(() => postern.getSnapshot().open).toBe(false)
  })

  test('eth_requestAccounts connects too', async () => {
    setUp({ connect: { address: ada } })
    expect(await postern.eip155.request({ method: 'eth_requestAccounts' })).toEqual([ada])
    expect(postern.getSnapshot().activeNetworkId).toBe('eip155:1')
  })

  test('a user who leaves is USER_REJECTED, and 4001 of the provider', async () => {
    setUp({ connect: 'decline' })
    await expect(postern.connect()).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await expect(postern.eip155.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
    expect(await accountsOf()).toEqual([])
  })

  test('a user who takes their time connects or leaves when the test says so', async () => {
    setUp({ connect: 'wait' })
    const left = postern.connect()
    left.catch(() => {})
    await expect.poll(() => postern.getSnapshot()).toMatchObject({ phase: 'ready', open: true })
    modal.leave()
    await expect(left).rejects.toMatchObject({ code: 'USER_REJECTED' })
    const connected = postern.connect()
    // The page shows the modal before `connect` reaches it; a later request settles after that.
    await postern.getWallets()
    modal.connect({ address: bob })
    expect(await connected).toMatchObject({ accounts: [{ address: bob }] })
  })

  test('Escape leaves the modal', async () => {
    setUp({ connect: 'wait' })
    const left = postern.connect()
    left.catch(() => {})
    await expect.poll(() => postern.getSnapshot()).toMatchObject({ phase: 'ready', open: true })
    const dialog = document.querySelector('postern-frame')?.shadowRoot?.querySelector('dialog')
    expect(dialog?.hasAttribute('open')).toBe(true)
    dialog?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    await expect(left).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await expect.poll(() => dialog?.hasAttribute('open')).toBe(false)
  })

  test('the dapp aborts a connect that waits', async () => {
    setUp({ connect: 'wait' })
    const controller = new AbortController()
    const connecting = postern.connect({ signal: controller.signal })
    connecting.catch(() => {})
    await expect.poll(() => postern.getSnapshot().open).toBe(true)
    controller.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
    await expect.poll(() => postern.getSnapshot().open).toBe(false)
  })

  test('opening the modal connects as well, and the dialog closes afterwards', async () => {
    setUp({ connect: ({ namespace }) => ({ address: namespace === undefined ? ada : bob }) })
    await postern.open()
    await expect.poll(() => postern.getSnapshot().connections.eip155?.status).toBe('connected')
    await expect.poll(() => postern.getSnapshot().open).toBe(false)
    expect(await accountsOf()).toEqual([ada])
  })

  test('a Solana account connects through the same script', async () => {
    const address = 'FwRYtTPRk5N4wUeP87rTw9kQVSwigB6kbikGzzeCMrW5'
    setUp({ connect: { namespace: 'solana', address } }, { networks: ['solana'] })
    expect(await postern.connect({ namespace: 'solana' })).toMatchObject({ accounts: [{ address }] })
  })

  test('a script without an account of the namespace says so', async () => {
    setUp({ connect: { address: ada } }, { networks: ['ethereum', 'solana'] })
    await expect(postern.connect({ namespace: 'solana' })).rejects.toThrow(
      'The dapp connects solana, but the script has an account of eip155.',
    )
  })
})

describe('requests', () => {
  test('get the answer of the script, and are recorded', async () => {
    setUp({ connect: { address: ada }, requests: { personal_sign: ([message]) => `signed ${message}` } })
    await postern.connect()
    const params = ['0x68', ada] as const
    expect(await postern.eip155.request({ method: 'personal_sign', params })).toBe('signed 0x68')
    expect(modal.requests).toEqual([
      { namespace: 'eip155', networkId: expect.anything(), method: 'personal_sign', params: ['0x68', ada] },
    ])
  })

  test("a handler's error reaches the dapp with its code and message", async () => {
    const refuse = () => {
      throw Object.assign(new Error('No, thanks'), { code: 4001 })
    }
    setUp({ connect: { address: ada }, requests: { personal_sign: refuse } })
    await postern.connect()
    await expect(postern.eip155.request({ method: 'personal_sign', params: ['0x68', ada] })).rejects.toMatchObject({
      code: 4001,
      message: 'No, thanks',
    })
  })

  test('a request without an answer says what to add', async () => {
    setUp({ connect: { address: ada } })
    await postern.connect()
    await expect(postern.eip155.request({ method: 'eth_gasPrice' })).rejects.toThrow(
      'The scripted modal has no answer to eth_gasPrice: add it to `requests`.',
    )
  })

  test('a test wallet behind the modal signs for real', async () => {
    const wallet = createTestWallet()
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    setUp({ connect: { address: wallet.address }, requests: wallet.provider.request })
    await postern.connect()
    const params = ['0x68656c6c6f', wallet.address] as const
    const signature = await postern.eip155.request({ method: 'personal_sign', params })
    if (!isHex(signature)) throw new Error('not a signature')
    expect(await verifyMessage({ address: wallet.address, message: 'hello', signature })).toBe(true)
  })
})

describe('after connecting', () => {
  test('the user disconnects, switches the account and the network in the modal', async () => {
    setUp({ connect: { address: ada } })
    await postern.connect()
    const events: unknown[] = []
    postern.eip155.on('accountsChanged', (accounts) => events.push(accounts))
    postern.eip155.on('chainChanged', (chainId) => events.push(chainId))
    modal.connect({ address: bob })
    modal.switchNetwork(8453)
    modal.disconnect()
    await expect.poll(() => events).toEqual([[bob], '0x2105', []])
    expect(() => modal.switchNetwork(5)).toThrow('The network isn’t configured')
  })

  test('the dapp switches the network and disconnects', async () => {
    setUp({ connect: { address: ada } })
    await postern.connect()
    await postern.switchNetwork('base')
    expect(postern.getSnapshot().activeNetworkId).toBe('eip155:8453')
    await expect(postern.switchNetwork('eip155:5')).rejects.toMatchObject({ code: 'SWITCH_NETWORK_NOT_FOUND' })
    await postern.disconnect()
    expect(await accountsOf()).toEqual([])
    expect(postern.getSnapshot().connections).toEqual({ eip155: { status: 'disconnected' } })
  })

  test('getIdentityToken resolves with the token of the script, else rejects', async () => {
    setUp({})
    await expect(postern.getIdentityToken()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    modal.change({ identityToken: 'header.claims.signature' })
    expect(await postern.getIdentityToken()).toBe('header.claims.signature')
    expect(await postern.getIdentityToken({ user: true })).toBe('header.claims.signature')
  })

  test('getIdentityToken tells the script whether the dapp asks who signed in, and the user may decline', async () => {
    const asked: unknown[] = []
    setUp({
      identityToken(asks) {
        asked.push(asks)
        if (asks.user) throw { code: 4001, message: 'User rejected the request' }
        return 'a.b.c'
      },
    })
    for (const options of [undefined, {}, { user: false }] as const)
      expect(await postern.getIdentityToken(options)).toBe('a.b.c')
    await expect(postern.getIdentityToken({ user: true })).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(asked).toEqual([{ user: false }, { user: false }, { user: false }, { user: true }])
  })

  test('getWallets resolves with the wallets of the script', async () => {
    setUp({})
    expect(await postern.getWallets()).toEqual([])
    const wallets = [{ id: 'io.example', name: 'Example', installed: true }]
    modal.change({ wallets })
    expect(await postern.getWallets()).toEqual(wallets)
  })

  test('getProfile resolves with the profile of the script', async () => {
    setUp({})
    expect(await postern.getProfile(ada)).toEqual({})
    modal.change({ profiles: { [ada]: { name: 'ada.eth' } } })
    expect(await postern.getProfile(ada)).toEqual({ name: 'ada.eth' })
    expect(await postern.getProfile(bob)).toEqual({})
  })

  test('pay resolves with the receipt of the script', async () => {
    const receipt = { networkId: 'eip155:1', hash: '0x1', from: ada } as const
    setUp({ pay: () => receipt })
    const request = { networkId: 'eip155:1', amount: '1', recipient: bob } as const
    expect(await postern.pay(request)).toEqual(receipt)
    modal.change({ pay: () => ({ ...receipt, hash: '' }) })
    await expect(postern.pay(request)).rejects.toThrow(/The script’s pay is not valid.*hash/s)
  })
})

describe('sign-in with wallet', () => {
  async function connectWithPlugin(script: ModalScript) {
    const wallet = createTestWallet()
    await wallet.provider.request({ method: 'eth_requestAccounts' })
    const siwx = createSiwx({ sessions: localSessions() })
    setUp({ connect: { address: wallet.address }, requests: wallet.provider.request, ...script }, { siwx })
    const signedIn = vi.fn()
    postern.on('signIn', signedIn)
    await postern.connect()
    return { wallet, siwx, signedIn }
  }

  test('stores a session with a signature that verifies', async () => {
    const { wallet, siwx, signedIn } = await connectWithPlugin({})
    const { address } = wallet
    await expect.poll(() => signedIn).toHaveBeenCalledWith({ networkId: 'eip155:1', address })
    const [session] = await siwx.getSessions('eip155:1', address)
    if (session === undefined || !isHex(session.signature)) throw new Error('no session')
    expect(await verifyMessage({ address, message: session.message, signature: session.signature })).toBe(true)
  })

  test('a user who declines a required sign-in is disconnected', async () => {
    const { signedIn } = await connectWithPlugin({ signIn: 'decline' })
    await expect.poll(() => postern.getSnapshot().connections.eip155?.status).toBe('disconnected')
    expect(signedIn).not.toHaveBeenCalled()
  })
})

test('restore leaves the page as it was', async () => {
  const before = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src')
  setUp({ connect: { address: ada } })
  await postern.connect()
  postern.destroy()
  modal.restore()
  expect(Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src')).toEqual(before)
  expect('showModal' in HTMLDialogElement.prototype).toBe(false)
  expect('adoptedStyleSheets' in document).toBe(false)
  expect(document.querySelector('postern-frame')).toBeNull()
})
