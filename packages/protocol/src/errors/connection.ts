import type { ErrorTexts } from './entry'

export const connectionErrors = {
  /* ---- networks, accounts and clients */
  CHAIN_NOT_SUPPORTED: {
    message: 'Chain is not supported',
    rpc: 4902,
    wayOut: 'Add the network in the wallet’s own settings, or choose another network.',
  },
  UNSUPPORTED_CHAIN: { message: 'Unsupported chain', wayOut: 'Choose one of the networks that this app supports.' },
  NETWORK_NOT_FOUND: {
    message: 'CaipNetwork not found',
    rpc: 4902,
    wayOut: 'Check the network’s id against the configured networks.',
  },
  ADAPTER_NOT_FOUND: {
    message: 'Adapter not found',
    wayOut: 'Configure a network of the namespace that the request is for.',
  },
  WALLET_CONNECT_CONNECTOR_NOT_FOUND: {
    message: 'WalletConnectConnector not found',
    wayOut: 'Turn on WalletConnect for this project.',
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
    rpc: 4901,
    wayOut: 'Configure a network of the namespace that the request is for, and choose it.',
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
  HTTP_STATUS: { message: 'HTTP status code: {status}', wayOut: 'Try again. The service’s log says more.' },

  /* ---- requests rejected without asking a wallet */
  RPC_NOT_ALLOWED: {
    message: 'Requested RPC call is not allowed',
    rpc: 4200,
    wayOut: 'Use one of the methods that the embedded wallet allows.',
  },

  /* ---- sign-in with wallet */
  SIWX_INIT_FAILED: {
    message: 'A problem occurred while trying initialize authentication',
    wayOut: 'Connect again. If it persists, check the sign-in plugin’s own error.',
  },
  SIGNATURE_DECLINED: { message: 'Signature declined', wayOut: 'Try again and approve the signature in the wallet.' },
  SMART_ACCOUNT_UNSUPPORTED: {
    message: 'This application might not support Smart Accounts',
    wayOut: 'Switch to the standard account and sign again.',
  },
  SIWX_CALLBACK_FAILED: {
    message: 'The app couldn’t sign you in',
    wayOut: 'Try again. If it persists, check the error of the `siwx` plugin or its server.',
  },
  SIWX_NOT_ENABLED: { message: 'SIWX is not enabled', wayOut: 'Configure `siwx` before using it.' },
} as const satisfies ErrorTexts
