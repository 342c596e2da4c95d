import type { ErrorTexts } from './entry'

export const connectionErrors = {
  /* ---- networks, accounts and clients */
  CHAIN_NOT_SUPPORTED: { message: 'Chain is not supported', rpc: 4902 },
  UNSUPPORTED_CHAIN: { message: 'Unsupported chain' },
  NETWORK_NOT_FOUND: { message: 'CaipNetwork not found', rpc: 4902 },
  ADAPTER_NOT_FOUND: { message: 'Adapter not found' },
  WALLET_CONNECT_CONNECTOR_NOT_FOUND: { message: 'WalletConnectConnector not found' },
  CLIENTS_NOT_SET: { message: 'ConnectionControllerClient and NetworkControllerClient must be set' },
  NO_CONNECTION_CLIENT: { message: 'No ConnectionController client found' },
  NO_ACTIVE_ADDRESS: { message: 'No ActiveCaipAddress found' },
  NO_ACTIVE_NETWORK: { message: 'No ActiveCaipNetwork or client found', rpc: 4901 },
  INVALID_CAIP_ADDRESS: { message: 'Invalid CAIP Address' },
  ADDRESS_OR_AUTH_NOT_FOUND: { message: 'Address or auth connector not found' },
  TRANSPORT_URL_MISSING: { message: 'No URL was provided to the Transport' },
  /** No node gave a readable answer. `data.status`: HTTP status, if any. */
  NETWORK_UNREACHABLE: { message: 'The network could not be reached', rpc: -32603 },
  HTTP_STATUS: { message: 'HTTP status code: {status}' },

  RPC_NOT_ALLOWED: { message: 'Requested RPC call is not allowed', rpc: 4200 },

  /* ---- sign-in with wallet */
  SIWX_INIT_FAILED: { message: 'A problem occurred while trying initialize authentication' },
  SIGNATURE_DECLINED: { message: 'Signature declined' },
  SMART_ACCOUNT_UNSUPPORTED: { message: 'This application might not support Smart Accounts' },
  SIWX_CALLBACK_FAILED: { message: 'The app couldn’t sign you in' },
  SIWX_NOT_ENABLED: { message: 'SIWX is not enabled' },
} as const satisfies ErrorTexts
