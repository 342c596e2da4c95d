/** Views fetched together when idle. A separate file, so that the first paint imports none of them. */
import type { ComponentType } from 'react'
import Account from '../features/account/Account'
import type { FeatureView, View } from '../view-kit/navigation'
import AccountTypes from '../views/AccountTypes/AccountTypes'
import AllWallets from '../views/AllWallets/AllWallets'
import ApproveTransaction from '../views/ApproveTransaction/ApproveTransaction'
import ConnectingExternal from '../views/ConnectingExternal/ConnectingExternal'
import ConnectingFarcaster from '../views/ConnectingFarcaster/ConnectingFarcaster'
import ConnectingSocial from '../views/ConnectingSocial/ConnectingSocial'
import ConnectingWalletConnect from '../views/ConnectingWalletConnect/ConnectingWalletConnect'
import ConnectingWalletConnectBasic from '../views/ConnectingWalletConnectBasic/ConnectingWalletConnectBasic'
import DeleteAccount from '../views/DeleteAccount/DeleteAccount'
import EmailVerifyDevice from '../views/EmailVerifyDevice/EmailVerifyDevice'
import EmailVerifyOtp from '../views/EmailVerifyOtp/EmailVerifyOtp'
import GetWallet from '../views/GetWallet/GetWallet'
import Networks from '../views/Networks/Networks'
import SIWXSignMessage from '../views/SIWXSignMessage/SIWXSignMessage'
import SwitchActiveChain from '../views/SwitchActiveChain/SwitchActiveChain'
import UnsupportedChain from '../views/UnsupportedChain/UnsupportedChain'
import UpdateEmail from '../views/UpdateEmail/UpdateEmail'
import UpdateEmailPrimaryOtp from '../views/UpdateEmail/UpdateEmailPrimaryOtp'
import UpdateEmailSecondaryOtp from '../views/UpdateEmail/UpdateEmailSecondaryOtp'
import WalletSecurity from '../views/WalletSecurity/WalletSecurity'
import WhatIsAWallet from '../views/WhatIsAWallet/WhatIsAWallet'

export { LaterTitle } from './later-title'
export { TopLevel } from './top-level'

export const laterViews: Readonly<Record<Exclude<View, 'Connect' | FeatureView>, ComponentType>> = {
  Account,
  ConnectingExternal,
  ConnectingWalletConnect,
  ConnectingWalletConnectBasic,
  GetWallet,
  AllWallets,
  Networks,
  SwitchActiveChain,
  UnsupportedChain,
  WhatIsAWallet,
  EmailVerifyDevice,
  EmailVerifyOtp,
  ConnectingSocial,
  ConnectingFarcaster,
  ApproveTransaction,
  AccountTypes,
  WalletSecurity,
  UpdateEmail,
  UpdateEmailPrimaryOtp,
  UpdateEmailSecondaryOtp,
  DeleteAccount,
  SIWXSignMessage,
  ConnectingSiwe: SIWXSignMessage,
}
