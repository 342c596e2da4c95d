import type { ErrorTexts } from './entry'

export const connectionErrors = {
  /* ---- networks, accounts and clients */
  CHAIN_NOT_SUPPORTED: {
    message: 'Chain is not supported',
    rpc: 4902,
    fix: 'Add the network in the wallet’s settings, or choose another network.',
  },
  UNSUPPORTED_CHAIN: { message: 'Unsupported chain', fix: 'Choose one of the networks that this app supports.' },
  NETWORK_NOT_FOUND: {
    message: 'CaipNetwork not found',
    rpc: 4902,
    fix: 'Use the id of a configured network.',
  },
  ADAPTER_NOT_FOUND: {
    message: 'Adapter not found',
    fix: 'Configure a network of the namespace that the request is for.',
  },
  WALLET_CONNECT_CONNECTOR_NOT_FOUND: {
    message: 'WalletConnectConnector not found',
    fix: 'Turn on WalletConnect for this project.',
  },
  CLIENTS_NOT_SET: {
    message: 'ConnectionControllerClient and NetworkControllerClient must be set',
    fix: 'Wait until the modal is ready before using it.',
  },
  NO_CONNECTION_CLIENT: {
    message: 'No ConnectionController client found',
    fix: 'Connect a wallet of this namespace first.',
  },
  NO_ACTIVE_ADDRESS: { message: 'No ActiveCaipAddress found', fix: 'Connect a wallet first.' },
  NO_ACTIVE_NETWORK: {
    message: 'No ActiveCaipNetwork or client found',
    rpc: 4901,
    fix: 'Configure a network of the namespace that the request is for, and choose it.',
  },
  INVALID_CAIP_ADDRESS: {
    message: 'Invalid CAIP Address',
    fix: 'Write the account as namespace:reference:address, for example eip155:1:0x….',
  },
  ADDRESS_OR_AUTH_NOT_FOUND: {
    message: 'Address or auth connector not found',
    fix: 'Sign in with email or a social account first.',
  },
  TRANSPORT_URL_MISSING: {
    message: 'No URL was provided to the Transport',
    fix: 'Give the network an RPC endpoint.',
  },
  HTTP_STATUS: { message: 'HTTP status code: {status}', fix: 'Try again. The service’s log says more.' },

  /* ---- requests rejected without asking a wallet */
  RPC_NOT_ALLOWED: {
    message: 'Requested RPC call is not allowed',
    rpc: 4200,
    fix: 'Use one of the methods that the embedded wallet allows.',
  },

  /* ---- sign-in with wallet */
  SIWX_INIT_FAILED: {
    message: 'A problem occurred while trying initialize authentication',
    fix: 'Connect again. If it persists, check the sign-in plugin’s own error.',
  },
  SIGNATURE_DECLINED: { message: 'Signature declined', fix: 'Try again and approve the signature in the wallet.' },
  SMART_ACCOUNT_UNSUPPORTED: {
    message: 'This application might not support Smart Accounts',
    fix: 'Switch to the standard account and sign again.',
  },
  SIWX_CALLBACK_FAILED: {
    message: 'The app couldn’t sign you in',
    fix: 'Try again. If it persists, check the error of the `siwx` plugin or its server.',
  },
  SIWX_NOT_ENABLED: { message: 'SIWX is not enabled', fix: 'Configure `siwx` before using it.' },
} as const satisfies ErrorTexts
