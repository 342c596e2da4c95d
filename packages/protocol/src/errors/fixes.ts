import type { ErrorCode } from '../errors'
import { refusalFixes } from './refusal-fixes'

/**
 * What to do next, for the dapp's developer or the user. Apart from the catalogue: the modal shows no
 * view of it, so its first script does not carry it.
 */
export const fixes: Readonly<Record<ErrorCode, string>> = {
  ...refusalFixes,
  /* ---- providers */
  USER_REJECTED: 'The user declined. Let them try again.',
  UNAUTHORIZED: 'Connect a wallet, and use an account that it shared.',
  UNSUPPORTED_METHOD: 'Use a method that the connected wallet supports.',
  DISCONNECTED: 'Connect a wallet, then send the request again.',
  CHAIN_DISCONNECTED: 'Switch to the network that the request is for.',
  CHAIN_NOT_ADDED: 'Add the network to the wallet, then switch to it.',
  METHOD_NOT_FOUND: 'Check the method’s name, and whether its feature is on.',
  INVALID_PARAMS: 'See the message, or `data.issues` for options.',
  INTERNAL: 'Try again. `data` has what the wallet or endpoint said.',
  REQUEST_PENDING: 'Answer the pending request in the wallet.',
  LIMIT_EXCEEDED: 'Wait a moment and try again.',
  /* ---- the page link */
  TIMEOUT: 'Check your connection and try again.',
  ABORTED: 'If it was a payment, check whether it went through. Then send it again if you still need it.',
  POPUP_BLOCKED: 'Click again: a new tab needs a recent click.',
  LINK_CLOSED: 'Send the request again.',
  OUTCOME_UNKNOWN: 'Check whether a payment went through before you send it again.',
  REQUEST_INTERRUPTED: 'Send the request again.',
  DESTROYED: 'Call `createPostern` again.',
  RELAY_UNREACHABLE: 'Check your connection, and whether something blocks the relay, then try again.',
  CLOSE_REFUSED: 'Finish or cancel what the modal asks for.',
  LOAD_FAILED: 'Check your connection, content blockers and the page’s `frame-src`, then try again.',
  IFRAME_LOAD_FAILED: 'Check your connection, content blockers and the page’s `frame-src`, then try again.',
  IFRAME_REQUEST_TIMEOUT: 'Try again. If the wallet still doesn’t respond, reload the page.',
  /* ---- the project */
  UNVERIFIED_DOMAIN:
    'Reserved for compatibility: Postern raises ORIGIN_NOT_ALLOWED instead. Add the page’s origin to the project’s allowed origins.',
  INVALID_PROJECT_ID: 'Check the project id with your gateway.',
  ANALYTICS_FORBIDDEN: 'Check the project id and the project’s allowed origins.',
  PROJECT_ID_NOT_CONFIGURED: 'Set `projectId` (or `data-project-id`) to the id of your project.',
  SWITCH_NETWORK_NOT_FOUND: 'Check its name or id. Then add it to `networks`, or switch to one of those.',
  SESSION_EXPIRED: 'Check the date and time of this device, then sign in again.',
  SIWX_CONFLICT: 'Set only one: `siwx` replaces `siweConfig`.',
  /* ---- connections */
  CHAIN_NOT_SUPPORTED: 'Add the network in the wallet’s settings, or choose another network.',
  UNSUPPORTED_CHAIN: 'Choose one of the networks that this app supports.',
  NETWORK_NOT_FOUND: 'Use the id of a configured network.',
  ADAPTER_NOT_FOUND: 'Configure a network of the namespace that the request is for.',
  WALLET_CONNECT_CONNECTOR_NOT_FOUND: 'Turn on WalletConnect for this project.',
  CLIENTS_NOT_SET: 'Wait until the modal is ready before using it.',
  NO_CONNECTION_CLIENT: 'Connect a wallet of this namespace first.',
  NO_ACTIVE_ADDRESS: 'Connect a wallet first.',
  NO_ACTIVE_NETWORK: 'Configure a network of the namespace that the request is for, and choose it.',
  INVALID_CAIP_ADDRESS: 'Write the account as namespace:reference:address, for example eip155:1:0x….',
  ADDRESS_OR_AUTH_NOT_FOUND: 'Sign in with email or a social account first.',
  TRANSPORT_URL_MISSING: 'Give the network an RPC endpoint.',
  NETWORK_UNREACHABLE: 'Try again in a moment. If it persists, check the network’s RPC endpoint.',
  HTTP_STATUS: 'Try again. The service’s log says more.',
  RPC_NOT_ALLOWED: 'Use one of the methods that the embedded wallet allows.',
  SIWX_INIT_FAILED: 'Connect again. If it persists, check the sign-in plugin’s own error.',
  SIGNATURE_DECLINED: 'Try again and approve the signature in the wallet.',
  SMART_ACCOUNT_UNSUPPORTED: 'Switch to the standard account and sign again.',
  SIWX_CALLBACK_FAILED: 'Try again. If it persists, check the error of the `siwx` plugin or its server.',
  SIWX_NOT_ENABLED: 'Configure `siwx` before using it.',
  /* ---- money */
  SWAP_NETWORK_NOT_SUPPORTED: 'Switch to a network that supports swaps.',
  GAS_PRICE_NETWORK_NOT_SUPPORTED: 'Switch to a network that supports swaps.',
  AMOUNT_AND_RECEIVER_REQUIRED: 'Enter an amount and the receiver’s address.',
  INSUFFICIENT_FUNDS: 'Send less, lower the fee rate, or wait until incoming funds are confirmed.',
  FEE_NOT_COVERED: 'Add the missing amount to the account, then try again.',
  TRANSACTION_MINED: 'Look at the activity: a transaction in a block can’t be replaced.',
  REPLACEMENT_UNDERPRICED: 'Wait a moment, then try again. The transaction still waits as it was.',
  TRANSACTION_MISMATCH:
    'Nothing was sent. Check the wallet, and extensions that change what it signs, before trying again.',
  TOKEN_REQUIRED: 'Choose a token.',
  TOKEN_BALANCE_UNAVAILABLE: 'Try again in half a minute.',
  TRANSACTIONS_UNAVAILABLE: 'Try again in a moment.',
  DISCONNECT_FAILED: 'Try again, or disconnect in the wallet.',
  EMAIL_COOLDOWN: 'Wait, then request another email.',
  INVALID_DECIMAL: 'Enter digits with at most one point, for example 1.5.',
  INVALID_ADDRESS: 'Check the recipient’s address: it’s not valid on this network.',
  /* ---- the embedded wallet */
  INVALID_EMAIL: 'Enter the whole address, such as name@example.com.',
  WRONG_CODE: 'Enter the 6-digit code from the newest email.',
  CODE_EXPIRED: 'Request a new code.',
  CODE_SPENT: 'Request a new code, or use the newest email.',
  TOO_MANY_ATTEMPTS: 'Wait a while, then request a new code.',
  MAIL_FAILED: 'Check the address and try again in a moment.',
  WALLET_SERVICE_UNREACHABLE: 'Check your connection and try again.',
  DEVICE_REVOKED: 'Sign in again to add it back.',
  USER_BLOCKED: 'Contact the support of this site. An operator unblocks it in the console.',
  CONSENT_DENIED: 'Try again, or sign in another way.',
  STORAGE_DENIED: 'Save the wallet in its own window, or sign in again on your next visit.',
  PROVIDER_FAILED: 'Try again in a moment, or sign in another way.',
  STATE_MISMATCH: 'Start again from this window, and don’t follow sign-in links that others send you.',
  WINDOW_CLOSED: 'Reopen it and finish there.',
  SIGN_IN_AGAIN: 'This needs a recent sign-in: sign out, then sign in again.',
  WALLET_LOCKED: 'Unlock it with the passkey or passphrase that protects it.',
  WALLET_KEY_MISMATCH: 'Sign out, then sign in again to recover your wallet.',
  WALLET_NOT_REPORTED:
    'The service is faulty, or lost data. The wallet creates no other one in its place. Do not clear this site’s data.',
  WALLET_ADDRESSES_CHANGED:
    'The service is faulty, or its data was changed. Send nothing to the other addresses. Do not clear this site’s data; export the wallet from this device if you can.',
  WALLET_ENDED: 'Sign in again: the sign-in offers to remove what this device still has of the old key.',
  WALLET_IN_USE:
    'Delete the account on a device that opens the wallet. 90 days after the last use, an emailed code is enough.',
  WALLET_ROLLED_BACK:
    'The service probably restored a backup from before your last choice of a recovery method. Do not clear this site’s data; export the wallet from this device if you can.',
  WALLET_ADDRESSES_UNPROVEN:
    'Sign something there once: that device hands in the proof. If it fails again, contact the operator.',
  RECOVERY_WAITING: 'Your other devices and your email were told. Wait until that time, then sign in again.',
  WALLET_NOT_CREATED: 'Sign in again and choose how to recover it.',
  WALLET_ALREADY_CREATED: 'Sign in again to open it. Its recovery method is the one that was chosen there.',
  PREVIOUS_WALLET_EXISTS:
    'A user can have one previous wallet, and this user has one already. Wallet security shows what it still holds.',
  HARDENED_RECOVERY_REQUIRED:
    'Choose one of them in the wallet’s own window. The project’s `recovery` setting is `hardened`.',
  DEVICE_CLOCK_WRONG: 'Nothing is lost: the account and the wallet are as they were.',
  LAST_DEVICE: 'Add another device first. Otherwise you’d lose the wallet with this one.',
  EMAIL_TAKEN: 'Use a different one.',
  EMAIL_ON_HOLD:
    'For seven days, the former address can undo the change with “This was not me” in the email about it. Until then it makes no other account, and new devices cannot delete or remove anything.',
  DOMAIN_MISMATCH: 'Nothing was signed. Someone may be trying to sign in elsewhere as you.',
  BUNDLER_UNAVAILABLE: 'Try again in a moment, or use your standard account.',
  CONTRACT_NEEDS_STANDARD_ACCOUNT: 'The account type is in the wallet’s account view. The modal opens it.',
  TRANSACTION_REVERTED: 'You paid the fee, and nothing else changed. See the explorer for the reason.',
  TRANSACTION_REPLACED: 'Another transaction from the same account took its place. See the explorer.',
  TRANSACTION_UNCONFIRMED:
    'It may still go through. Look it up by the hash in `data`, or by `data.callsId` with `wallet_getCallsStatus`, before sending again.',
  TRANSACTION_DROPPED: 'The network didn’t process it in time, and nothing was spent. Send it again.',
  /* ---- general */
  ERROR_OCCURRED: 'Reserved for compatibility: Postern does not raise it.',
  SOMETHING_WENT_WRONG: 'Try again.',
  UNKNOWN: 'Try again. The wallet gave no reason.',
}
