export { createTestWallet } from './test-wallet'
export type {
  Announced,
  Behaviour,
  LoggedRequest,
  TestChain,
  TestWallet,
  TestWalletOptions,
  WalletQuestion,
} from './types'
