import { devnetBitcoinId, devnetChains, devnetSolanaId } from './chain-ids'
import { socialEnvironment } from './identity-provider/clients'
import { solanaPlatform } from './indexer/prices'
import { type DevnetPorts, devnetContracts, devnetPorts, ensContracts, idRegistryAddress } from './networks'
import { onrampKey, onrampKeyId } from './onramp/access'
import { solanaMint, solanaMintDecimals } from './solana/token-ids'

const evmIds = devnetChains.map(({ chainId }) => `eip155:${chainId}`)
const byEvmChain = <T>(value: (chainId: string) => T): Record<string, T> =>
  Object.fromEntries(evmIds.map((id) => [id, value(id)]))

const tokens = [
  { address: devnetContracts.dollar, name: 'Devnet Dollar', symbol: 'DUSD', decimals: 6 },
  { address: devnetContracts.gem, name: 'Devnet Gem', symbol: 'GEM', decimals: 18 },
  { address: devnetContracts.wrapped, name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
] as const

/** Variables of docs/operate/settings.md. A service without a port is left out. */
export function gatewayEnvironment(ports: DevnetPorts = devnetPorts): Record<string, string> {
  const { smtp, identityProvider, farcaster, bundler, solana, bitcoin, onramp, indexer, names } = ports
  const { dollar, wrapped, swapFactory: factory, swapRouter: router } = devnetContracts
  const byChain = (folder: string) =>
    JSON.stringify(
      Object.fromEntries(
        devnetChains.map(({ chainId }) => [`eip155:${chainId}`, `http://127.0.0.1:${bundler}/${folder}${chainId}`]),
      ),
    )
  const onSolana = {
    chainId: devnetSolanaId,
    address: solanaMint,
    name: 'Solana Devnet Dollar',
    symbol: 'SDUSD',
    decimals: solanaMintDecimals,
  }
  const coingecko = {
    url: `http://127.0.0.1:${indexer}/coingecko/api/v3`,
    ids: {
      ...byEvmChain(() => 'ethereum'),
      ...(solana !== undefined && { [devnetSolanaId]: 'solana' }),
      ...(bitcoin !== undefined && { [devnetBitcoinId]: 'bitcoin' }),
    },
    platforms: solana === undefined ? {} : { [devnetSolanaId]: solanaPlatform },
  }
  return {
    POSTERN_TOKENS: JSON.stringify([
      ...evmIds.flatMap((chainId) => tokens.map((token) => ({ chainId, ...token }))),
      ...(solana === undefined ? [] : [onSolana]),
    ]),
    POSTERN_SWAPS: JSON.stringify(byEvmChain(() => ({ router, factory, wrapped, tokens }))),
    POSTERN_PRICES: JSON.stringify({
      ...(indexer !== undefined && { coingecko }),
      uniswapV2: byEvmChain(() => ({ factory, wrapped, dollar })),
    }),
    POSTERN_ENS: JSON.stringify({
      network: evmIds[0],
      registry: ensContracts.registry,
      universalResolver: ensContracts.universalResolver,
      ...(names !== undefined && { servers: `http://127.0.0.1:${names}/` }),
    }),
    POSTERN_NAMES: '.postern',
    ...(indexer !== undefined && {
      POSTERN_INDEXERS: JSON.stringify(
        byEvmChain((id) => `http://127.0.0.1:${indexer}/${id.replace('eip155:', '')}/api`),
      ),
    }),
    ...(onramp !== undefined && {
      POSTERN_ONRAMP: JSON.stringify({
        // Node may not resolve `*.localhost`; the page is for browsers.
        api: `http://127.0.0.1:${onramp}/onramp/v1`,
        page: `http://onramp.localhost:${onramp}/buy`,
        keyId: onrampKeyId,
        privateKey: onrampKey().export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      }),
    }),
    ...(smtp !== undefined && { SMTP_URL: `smtp://127.0.0.1:${smtp}` }),
    ...(identityProvider !== undefined && socialEnvironment(identityProvider)),
    ...(farcaster !== undefined && {
      FARCASTER_RELAY_URL: `http://127.0.0.1:${farcaster}`,
      FARCASTER_NETWORK: `eip155:${devnetChains[0].chainId}`,
      FARCASTER_ID_REGISTRY: idRegistryAddress,
    }),
    ...(bundler !== undefined && { POSTERN_BUNDLERS: byChain(''), POSTERN_PAYMASTERS: byChain('paymaster/') }),
  }
}
