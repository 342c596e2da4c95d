/**
 * Every message of spec §8, once: a stable code, the text exactly as the spec has it, the EIP-1193 or JSON-RPC number where there is one,
 * and a sentence that says what to do. Texts in braces are filled by {@link fillText}.
 */
import type { LinkError } from './page-link'

/** An alert of spec §8: drawn over the view, because the dapp's developer or the visitor has something to mend. */
export type AlertText = { readonly title: string; readonly text: string }

export type ErrorEntry = {
  readonly message: string
  /** EIP-1193 or JSON-RPC 2.0 number, as a dapp's `error.code` sees it. */
  readonly rpc?: number
  /** What the reader can do about it. */
  readonly wayOut: string
  readonly alert?: AlertText
  /** Path of its explanation, from the root of the repository. */
  readonly docs: string
}

const appConfiguration = 'Invalid App Configuration'

const catalogue = {
  /* ---- what a provider says: EIP-1193, EIP-1474, EIP-3085, EIP-3326 */
  USER_REJECTED: {
    message: 'User rejected the request',
    rpc: 4001,
    wayOut: 'Nothing is broken: the visitor said no. Let them try again when they want to.',
  },
  UNAUTHORIZED: {
    message: 'The requested account or method has not been authorized by the user',
    rpc: 4100,
    wayOut: 'Connect a wallet first, and use one of the accounts that it shared.',
  },
  UNSUPPORTED_METHOD: {
    message: 'The provider does not support the requested method',
    rpc: 4200,
    wayOut: 'Use a method that the connected wallet supports.',
  },
  DISCONNECTED: {
    message: 'The provider is disconnected from all chains',
    rpc: 4900,
    wayOut: 'Connect a wallet and send the request again.',
  },
  CHAIN_DISCONNECTED: {
    message: 'The provider is not connected to the requested chain',
    rpc: 4901,
    wayOut: 'Switch to the network that the request is for.',
  },
  CHAIN_NOT_ADDED: {
    message: 'Unrecognized chain ID',
    rpc: 4902,
    wayOut: 'Add the network to the wallet, then switch to it.',
  },
  INVALID_REQUEST: {
    message: 'The request is not valid',
    rpc: -32600,
    wayOut: 'Send an object with a `method` and, where the method has them, `params`.',
  },
  METHOD_NOT_FOUND: {
    message: 'The method does not exist or is not available',
    rpc: -32601,
    wayOut: 'Check the name of the method.',
  },
  INVALID_PARAMS: {
    message: 'Invalid method parameters',
    rpc: -32602,
    wayOut: 'Check the parameters against the method’s description.',
  },
  INTERNAL: {
    message: 'Internal error',
    rpc: -32603,
    wayOut: 'Try again; if it stays, look at `data` for what the wallet or the endpoint said.',
  },
  REQUEST_PENDING: {
    message: 'A request is already pending in the wallet',
    rpc: -32002,
    wayOut: 'Open the wallet and answer the request that waits there.',
  },
  LIMIT_EXCEEDED: {
    message: 'Request limit exceeded',
    rpc: -32005,
    wayOut: 'Wait a little and try again.',
  },

  /* ---- the page link */
  TIMEOUT: {
    message: 'The request took too long',
    wayOut: 'Check the connection and try again.',
  },
  ABORTED: {
    message: 'Request was aborted',
    wayOut: 'The page or the visitor called it off; send it again if it is still wanted.',
  },
  POPUP_BLOCKED: {
    message: 'The browser blocked the new tab',
    wayOut: 'Click again: a new tab may be opened for a few seconds after a click.',
  },
  LINK_CLOSED: {
    message: 'The connection to the modal has ended',
    rpc: 4900,
    wayOut:
      'Send the request again: the modal is loaded anew on the next one. A payment may have been made: look for it first.',
  },
  DESTROYED: {
    message: 'This instance has been destroyed',
    rpc: 4900,
    wayOut: 'Call `createPostern` again, and stop using the old instance.',
  },
  RELAY_UNREACHABLE: {
    message: 'The WalletConnect relay cannot be reached',
    wayOut: 'Check the connection, and whether something blocks the relay, then try again.',
  },
  CLOSE_REFUSED: {
    message: 'The modal cannot be closed now',
    wayOut: 'Finish or cancel what the modal asks for.',
  },
  VERSION_MISMATCH: {
    message: 'The SDK and the modal speak no common version',
    wayOut: 'Update `@postern/client`, or the deployment that serves the modal, whichever is older.',
  },
  IFRAME_LOAD_FAILED: {
    message: 'Unable to load email login dependency',
    wayOut: 'Check the connection, content blockers and the page’s `frame-src`, then try again.',
    alert: {
      title: 'Network Error - Could not load embedded wallet',
      text: 'The wallet’s frame did not load. Check your connection, and whether the page’s policy or an extension blocks {host}.',
    },
  },
  IFRAME_REQUEST_TIMEOUT: {
    message: 'Embedded wallet request timed out',
    wayOut: 'Try again; reload the page if the wallet stays silent.',
    alert: {
      title: 'Embedded Wallet Request Timed Out',
      text: 'The embedded wallet did not answer in time. Try again, or reload the page.',
    },
  },

  /* ---- the project and its configuration */
  ORIGIN_NOT_ALLOWED: {
    message: 'Unauthorized: origin not allowed',
    wayOut: 'Add the page’s origin to the project’s allowed origins.',
    alert: {
      title: appConfiguration,
      text: 'The origin {origin} is not on the allowlist of this project. Add it to the project’s allowed origins.',
    },
  },
  UNVERIFIED_DOMAIN: {
    message: 'The domain of this page has not been verified',
    wayOut: 'Add the page’s origin to the project’s allowed origins.',
    alert: {
      title: appConfiguration,
      text: 'Email and social sign-in need a verified domain. Add {origin} to the project’s allowed origins.',
    },
  },
  INVALID_PROJECT_ID: {
    message: 'Unauthorized: invalid key',
    wayOut: 'Check the project id: the gateway knows no such project.',
    alert: { title: appConfiguration, text: 'The project id {projectId} is not valid. Check it with your gateway.' },
  },
  ANALYTICS_FORBIDDEN: {
    message: 'The analytics service refused this page',
    wayOut: 'Check the project id and the project’s allowed origins.',
    alert: {
      title: appConfiguration,
      text: 'The analytics service refused this page. Check the project id and add {origin} to the project’s allowed origins.',
    },
  },
  PROJECT_ID_NOT_CONFIGURED: {
    message: 'No project id is configured',
    wayOut: 'Set `projectId` (or `data-project-id`) to the id of your project.',
    alert: {
      title: 'Project ID Not Configured',
      text: 'This app has no project id. Set projectId to the id of your project.',
    },
  },
  SWITCH_NETWORK_NOT_FOUND: {
    message: 'The network is not one of the configured networks',
    rpc: 4902,
    wayOut: 'Add the network to `networks`, or switch to one that is there.',
    alert: {
      title: 'Network Not Found',
      text: 'The network {network} is not one of the configured networks. Add it to networks.',
    },
  },
  SESSION_EXPIRED: {
    message: 'JWT validation error: JWT Token is not yet valid',
    wayOut: 'Check that the time of this device is right, then sign in again.',
    alert: {
      title: 'Session Expired',
      text: 'The session is not valid. Check the time settings of this device, then sign in again.',
    },
  },
  SIWX_CONFLICT: {
    message: 'Both siweConfig and siwx are set',
    wayOut: 'Set one of the two: `siwx` replaces `siweConfig`.',
  },

  /* ---- networks, accounts and clients */
  CHAIN_NOT_SUPPORTED: {
    message: 'Chain is not supported',
    rpc: 4902,
    wayOut: 'Add the network in the wallet’s own settings, or choose another network.',
  },
  UNSUPPORTED_CHAIN: { message: 'Unsupported chain', wayOut: 'Choose one of the networks that this app supports.' },
  NETWORK_NOT_FOUND: {
    message: 'CaipNetwork not found',
    wayOut: 'Check the network’s id against the configured networks.',
  },
  ADAPTER_NOT_FOUND: {
    message: 'Adapter not found',
    wayOut: 'Configure a network of the namespace that the request is for.',
  },
  WALLET_CONNECT_CONNECTOR_NOT_FOUND: {
    message: 'WalletConnectConnector not found',
    wayOut: 'Switch WalletConnect on for this project.',
  },
  CLIENTS_NOT_SET: {
    message: 'ConnectionControllerClient and NetworkControllerClient must be set',
    wayOut: 'Wait until the modal is ready before using it.',
  },
  NO_CONNECTION_CLIENT: {
    message: 'No ConnectionController client found',
    wayOut: 'Connect a wallet of this namespace first.',
  },
  NO_ACTIVE_ADDRESS: { message: 'No ActiveCaipAddress found', wayOut: 'Connect a wallet first.' },
  NO_ACTIVE_NETWORK: {
    message: 'No ActiveCaipNetwork or client found',
    wayOut: 'Choose a network and connect a wallet first.',
  },
  INVALID_CAIP_ADDRESS: {
    message: 'Invalid CAIP Address',
    wayOut: 'Write the account as namespace:reference:address, for instance eip155:1:0x….',
  },
  ADDRESS_OR_AUTH_NOT_FOUND: {
    message: 'Address or auth connector not found',
    wayOut: 'Sign in with email or a social account first.',
  },
  TRANSPORT_URL_MISSING: {
    message: 'No URL was provided to the Transport',
    wayOut: 'Give the network an RPC endpoint.',
  },
  HTTP_STATUS: { message: 'HTTP status code: {status}', wayOut: 'Try again; the service’s log says more.' },

  /* ---- requests that the layer itself refuses */
  RPC_NOT_ALLOWED: {
    message: 'Requested RPC call is not allowed',
    rpc: 4200,
    wayOut: 'Use one of the methods that the embedded wallet allows.',
  },

  /* ---- sign-in with wallet */
  SIWX_INIT_FAILED: {
    message: 'A problem occurred while trying initialize authentication',
    wayOut: 'Connect again; if it stays, look at the sign-in plugin’s own error.',
  },
  SIGNATURE_DECLINED: { message: 'Signature declined', wayOut: 'Try again and accept the signature in the wallet.' },
  SMART_ACCOUNT_UNSUPPORTED: {
    message: 'This application might not support Smart Accounts',
    wayOut: 'Switch to the plain account and sign again.',
  },
  SIWX_NOT_ENABLED: { message: 'SIWX is not enabled', wayOut: 'Configure `siwx` before using it.' },

  /* ---- money */
  SWAP_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Swaps',
    wayOut: 'Switch to a network where swaps are offered.',
  },
  GAS_PRICE_NETWORK_NOT_SUPPORTED: {
    message: 'Network not supported for Gas Price',
    wayOut: 'Switch to a network where swaps are offered.',
  },
  AMOUNT_AND_RECEIVER_REQUIRED: {
    message: 'An amount and receiver address are required',
    wayOut: 'Enter an amount and the receiver’s address.',
  },
  INSUFFICIENT_FUNDS: {
    message: 'The account has not enough for the amount and the fee',
    rpc: -32000,
    wayOut: 'Send less, lower the fee rate, or wait until what was received is confirmed.',
  },
  TRANSACTION_MISMATCH: {
    message: 'The wallet signed another transaction than it was asked to',
    wayOut: 'Nothing was sent. Look at the wallet, and at extensions that change what it signs, before trying again.',
  },
  TOKEN_REQUIRED: { message: 'A token is required', wayOut: 'Choose a token.' },
  TOKEN_BALANCE_UNAVAILABLE: { message: 'Token Balance Unavailable', wayOut: 'Try again in half a minute.' },
  TRANSACTIONS_UNAVAILABLE: { message: 'Failed to fetch transactions', wayOut: 'Try again in a moment.' },
  DISCONNECT_FAILED: {
    message: 'Failed to disconnect',
    wayOut: 'Try again, or end the connection in the wallet itself.',
  },

  /* ---- what was typed */
  EMAIL_COOLDOWN: {
    message: 'Please try again after {seconds} seconds',
    wayOut: 'Wait until the time is over, then ask for another email.',
  },
  INVALID_DECIMAL: {
    message: 'Number is not a valid decimal number',
    wayOut: 'Write digits with at most one point, for instance 1.5.',
  },
  INVALID_ADDRESS: {
    message: 'Invalid address',
    wayOut: 'Check the receiver’s address: it is not one of this network.',
  },

  /* ---- the embedded wallet */
  INVALID_EMAIL: { message: 'Invalid email', wayOut: 'Write the whole address, such as name@example.com.' },
  WRONG_CODE: { message: 'The code is not right', wayOut: 'Type the six digits of the newest mail.' },
  CODE_EXPIRED: { message: 'The code has expired', wayOut: 'Ask for a new code.' },
  CODE_SPENT: {
    message: 'The code was used already, or a newer one was sent',
    wayOut: 'Ask for a new code, or use the newest mail.',
  },
  TOO_MANY_ATTEMPTS: { message: 'Too many attempts', wayOut: 'Wait a while, then ask for a new code.' },
  MAIL_FAILED: { message: 'The mail could not be sent', wayOut: 'Check the address and try again in a moment.' },
  WALLET_SERVICE_UNREACHABLE: {
    message: 'The wallet’s service cannot be reached',
    wayOut: 'Check the connection, then try again.',
  },
  DEVICE_REVOKED: { message: 'This device was removed from the wallet', wayOut: 'Sign in again to add it anew.' },
  CONSENT_DENIED: { message: 'The sign-in was declined', wayOut: 'Nothing is broken: try again, or take another way.' },
  PROVIDER_FAILED: {
    message: 'The sign-in service did not answer',
    wayOut: 'Try again in a moment, or take another way.',
  },
  STATE_MISMATCH: {
    message: 'The sign-in was not begun here',
    wayOut: 'Start again from this window, and do not follow links of others.',
  },
  WINDOW_CLOSED: { message: 'The window was closed', wayOut: 'Open it again and finish there.' },
  SIGN_IN_AGAIN: {
    message: 'Sign in again to do this',
    wayOut: 'This needs a fresh sign-in: sign out, and in again.',
  },
  WALLET_LOCKED: {
    message: 'The wallet is locked on this device',
    wayOut: 'Unlock it with the passkey or passphrase that protects it.',
  },
  WALLET_KEY_MISMATCH: {
    message: 'The parts of the key do not fit together',
    wayOut: 'Sign out and in again: the wallet is found anew by its recovery.',
  },
  LAST_DEVICE: {
    message: 'The last device cannot be removed',
    wayOut: 'Add another device first: the wallet would be lost with this one.',
  },
  EMAIL_TAKEN: { message: 'This address cannot be used', wayOut: 'Use another address.' },
  DOMAIN_MISMATCH: {
    message: 'The sign-in message is for another domain',
    wayOut: 'Nothing was signed. Somebody may be trying to sign in elsewhere in your name.',
  },
  BUNDLER_UNAVAILABLE: {
    message: 'Smart accounts are not available on this network now',
    wayOut: 'Try again in a moment, or use the plain account.',
  },
  TRANSACTION_REVERTED: {
    message: 'The transaction was reverted',
    wayOut: 'The fee is spent and nothing else changed. Look at the explorer for the reason.',
  },
  TRANSACTION_REPLACED: {
    message: 'The transaction was replaced',
    wayOut: 'Another transaction of the same account took its place: look at the explorer.',
  },

  /* ---- when nothing better is known */
  ERROR_OCCURRED: { message: 'An error occurred', wayOut: 'Try again.' },
  SOMETHING_WENT_WRONG: { message: 'Something went wrong', wayOut: 'Try again.' },
  UNKNOWN: { message: 'Unknown error', wayOut: 'Try again; the wallet gave no reason.' },
} as const satisfies Record<string, Omit<ErrorEntry, 'docs'>>

export type ErrorCode = keyof typeof catalogue

/** The catalogue by code. */
export const errors: Readonly<Record<ErrorCode, ErrorEntry>> = withDocs(catalogue)

/** Texts of the interface that the spec gives word for word and that are no errors. */
export const texts = {
  /** Shown in the modal 300 ms after a disallowed method was refused (spec §8). */
  actionNotAllowed: 'Action not allowed',
  authenticating: 'Authenticating...',
} as const

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalogue, value)
}

/** Codes that open an alert, and the texts of it. */
export function alertOf(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): AlertText | null {
  const alert = errors[code].alert
  return alert === undefined ? null : { title: alert.title, text: fillText(alert.text, values) }
}

/** Puts values where a text has `{name}`; a name without a value stays as it is. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** A failure as it crosses the page link; the message is the catalogue's unless a better one is known. */
export function linkError(
  code: ErrorCode,
  more: { readonly message?: string; readonly data?: unknown } = {},
): LinkError {
  const { message, rpc } = errors[code]
  return {
    code,
    message: more.message ?? message,
    ...(rpc !== undefined && { rpc }),
    ...(more.data !== undefined && { data: more.data }),
  }
}

/** The three messages of a server that mean something to us (spec §8); null for all others. */
export function fromServerMessage(text: string): ErrorCode | null {
  if (text.includes('Unauthorized: origin not allowed')) return 'ORIGIN_NOT_ALLOWED'
  if (text.includes('JWT validation error: JWT Token is not yet valid')) return 'SESSION_EXPIRED'
  if (text.includes('Unauthorized: invalid key')) return 'INVALID_PROJECT_ID'
  return null
}

function withDocs(entries: Record<ErrorCode, Omit<ErrorEntry, 'docs'>>): Record<ErrorCode, ErrorEntry> {
  const withOne = ([code, entry]: [string, Omit<ErrorEntry, 'docs'>]) => [
    code,
    Object.freeze({ ...entry, docs: `docs/errors.md#${code.toLowerCase()}` }),
  ]
  return Object.freeze(Object.fromEntries(Object.entries(entries).map(withOne)))
}
