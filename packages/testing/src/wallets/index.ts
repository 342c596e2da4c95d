export type {
  Announced,
  Behaviour,
  LoggedRequest,
  TestChain,
  TestWallet,
  TestWalletOptions,
  WalletQuestion,
} from './test-wallet'
export { createTestWallet } from './test-wallet'
