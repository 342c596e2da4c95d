import { type CaipNetworkId, limits, type ProjectPage, type WalletUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import {
  type FrameHandlers,
  testFrame,
  waits,
  walletOrigin,
} from '../connectors/embedded/wallet-frame/testing/test-frame'
import type { Popup } from '../snapshot/popup'
import { memoryStorage, project, readyPage } from './test-page'

export const eoa = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const smartAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const solanaAddress = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'
export const bitcoinAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
export const bitcoin: CaipNetworkId = 'bip122:000000000019d6689c085ae165831e93'

export type TestPopup = Popup & { readonly visited: string[]; closed: boolean }

export function walletState(changes: Partial<WalletUser> = {}) {
  const state = {
    isSignedIn: false,
    chainId: 1,
    preferred: 'smartAccount' as 'eoa' | 'smartAccount',
    action: 'VERIFY_OTP' as 'VERIFY_DEVICE' | 'VERIFY_OTP' | 'CONNECT',
    known: [1, 8453],
    changes,
  }
  function user(): WalletUser {
    const accounts = [
      { address: smartAccount, type: 'smartAccount' as const },
      { address: eoa, type: 'eoa' as const },
    ]
    const shown = state.chainId === 8453 ? accounts.filter(({ type }) => type === 'eoa') : accounts
    const preferred = state.chainId === 8453 ? 'eoa' : state.preferred
    return {
      email: 'ada@example.com',
      provider: 'email',
      address: preferred === 'eoa' ? eoa : smartAccount,
      chainId: state.chainId,
      accounts: shown,
      preferredAccountType: preferred,
      solana: solanaAddress,
      bitcoin: [{ networkId: bitcoin, address: bitcoinAddress, publicKey: `02${'ab'.repeat(32)}` }],
      storage: 'frame',
      ...state.changes,
    }
  }
  function select(payload: unknown): void {
    const chainId =
      typeof payload === 'object' && payload !== null && 'chainId' in payload ? payload.chainId : undefined
    if (typeof chainId !== 'number') return
    if (!state.known.includes(chainId)) throw new Failure('CHAIN_NOT_SUPPORTED')
    state.chainId = chainId
  }
  const handlers: FrameHandlers = {
    IS_CONNECTED() {
      return { isConnected: state.isSignedIn }
    },
    GET_USER(payload) {
      select(payload)
      return user()
    },
    GET_SMART_ACCOUNT_ENABLED_NETWORKS() {
      return { smartAccountEnabledNetworks: [1] }
    },
    GET_CHAIN_ID() {
      return { chainId: state.chainId }
    },
    CONNECT_EMAIL() {
      return { action: state.action }
    },
    // Until the user has typed the code in the frame: see `acceptCode`.
    CONNECT_OTP() {
      return waits
    },
    SIGN_OUT() {
      state.isSignedIn = false
      return undefined
    },
    SWITCH_NETWORK(payload) {
      select(payload)
      return { chainId: state.chainId }
    },
    SET_PREFERRED_ACCOUNT(payload) {
      const wantsEoa = typeof payload === 'object' && payload !== null && 'type' in payload && payload.type === 'eoa'
      state.preferred = wantsEoa ? 'eoa' : 'smartAccount'
      return { type: state.preferred, address: wantsEoa ? eoa : smartAccount }
    },
    REJECT() {
      return undefined
    },
    SHOW_APPROVAL() {
      return undefined
    },
    HIDE_APPROVAL() {
      return undefined
    },
  }
  return { state, user, handlers }
}

export async function embeddedPage(
  options: Parameters<typeof readyPage>[0] & {
    wallet?: ReturnType<typeof walletState>
    projectChanges?: Partial<ProjectPage>
    blocksPopups?: boolean
  } = {},
) {
  const wallet = options.wallet ?? walletState()
  const peer = testFrame(wallet.handlers)
  const popups: TestPopup[] = []
  const kept = options.frameStorage?.() ?? memoryStorage()
  const page = await readyPage({
    ...options,
    init: { networks: ['ethereum', 'base', 'solana', 'bitcoin'], pageWallets: [], ...options.init },
    frameStorage: () => kept,
    project: project({
      wallet: {
        origin: walletOrigin,
        email: true,
        socials: ['google', 'github'],
        farcaster: true,
        smartAccountChainIds: [1],
      },
      ...options.projectChanges,
    }),
    walletFrameDom: options.walletFrameDom ?? peer.dom,
    clickPowers: {
      openPopup(url) {
        if (options.blocksPopups) return null
        const visited = [url]
        const popup: TestPopup = {
          visited,
          closed: false,
          close() {
            popup.closed = true
          },
          location: { replace: (next) => void visited.push(next) },
        }
        popups.push(popup)
        return popup
      },
      ...options.clickPowers,
    },
  })
  const snapshot = () => page.host.store.getState()
  const { actions } = page.host

  /** Resolves once the frame is ready, after the extra delay. */
  async function loaded(times = 1): Promise<void> {
    await peer.until(() => peer.ready() >= times)
    await peer.heard()
    page.clock.advance(limits.walletFrameReadyDelay)
  }

  /** The user typed it in the frame, and the gateway accepted it. */
  async function acceptCode(): Promise<void> {
    await page.until(() => snapshot().codeEntry !== null)
    const { id } = snapshot().codeEntry ?? { id: '' }
    await peer.until(() => peer.asked.some((request) => request.id === id))
    wallet.state.isSignedIn = true
    peer.answer('CONNECT_OTP', undefined, id)
  }

  return {
    ...page,
    page,
    peer,
    wallet,
    popups,
    kept,
    snapshot,
    actions,
    loaded,
    acceptCode,
    step: (step: string) => page.until(() => snapshot().signIn?.step === step),
    async signIn(): Promise<void> {
      actions.signInWithEmail('ada@example.com')
      await loaded()
      await page.until(() => snapshot().signIn?.step === 'code')
      await acceptCode()
      await page.until(() => snapshot().connections.eip155?.status === 'connected' && snapshot().signIn === null)
    },
  }
}

export type EmbeddedPage = Awaited<ReturnType<typeof embeddedPage>>
