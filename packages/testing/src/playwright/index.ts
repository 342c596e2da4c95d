export type {
  Announced,
  Behaviour,
  LoggedRequest,
  TestChain,
  TestWallet,
  TestWalletOptions,
  WalletQuestion,
} from '../wallets/types'
export { installWallet } from './install-wallet'
export { type PosternInPage, postern } from './postern'
