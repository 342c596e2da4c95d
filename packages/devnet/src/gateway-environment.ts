/** What a gateway has to be told to use the devnet's services: mail, socials, Farcaster, bundlers and paymasters. */
import { devnetChains } from './chain-ids'
import { socialEnvironment } from './identity-provider/clients'
import { type DevnetPorts, devnetPorts, idRegistryAddress } from './networks'

/** Variables of docs/gateway.md. A service without a port is not told of. */
export function gatewayEnvironment(ports: DevnetPorts = devnetPorts): Record<string, string> {
  const { smtp, identityProvider, farcaster, bundler } = ports
  const byChain = (folder: string) =>
    JSON.stringify(
      Object.fromEntries(
        devnetChains.map(({ chainId }) => [`eip155:${chainId}`, `http://127.0.0.1:${bundler}/${folder}${chainId}`]),
      ),
    )
  return {
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
