import { defaultFeatures, type ThemeMode } from '@postern/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostSnapshot } from './host-snapshot'

export type SnapshotStore = StoreApi<HostSnapshot>

export function createSnapshotStore(initial: {
  themeMode: ThemeMode
  locale: string
  walletCount: number | null
  isTopLevel: boolean
}): SnapshotStore {
  return createStore<HostSnapshot>(() => ({
    ready: false,
    ...(initial.isTopLevel && { topLevel: true as const }),
    open: false,
    opening: { key: 0, view: 'Connect' },
    wantedNamespace: null,
    wantedMethod: null,
    namespaces: [],
    connectMethods: ['wallet'],
    relay: 'unused',
    refusedCloses: 0,
    themeMode: initial.themeMode,
    theme: {},
    locale: initial.locale,
    metadata: null,
    networks: [],
    activeNetworkId: null,
    connections: {},
    wallets: [],
    directoryCount: initial.walletCount,
    connectAttempt: null,
    switchAttempt: null,
    nativeBalance: { kind: 'loading' },
    moves: 0,
    features: defaultFeatures,
    money: { swapChainIds: [], onramp: false, nameSuffix: null },
    brand: {},
    legal: null,
    consentAsked: false,
    transactions: [],
    waiting: [],
    payment: null,
    snackbar: null,
    alert: null,
    signInMethods: { email: false, socials: [], farcaster: false },
    walletKept: false,
    signIn: null,
    emailChange: null,
    signInPrompt: null,
    embedded: null,
    returningUser: null,
    approvals: [],
    walletRequests: [],
    codeEntry: null,
    walletFrameExit: null,
  }))
}
