import type { TokenBalance } from '@postern/protocol'

function token(name: string, symbol: string, numeric: string, price: number, address?: string): TokenBalance {
  const value = price > 0 ? { value: Number(numeric) * price } : {}
  return {
    name,
    symbol,
    chainId: 'eip155:1',
    ...(address !== undefined && { address: `eip155:1:${address}` }),
    price,
    ...value,
    quantity: { decimals: '18', numeric },
    iconUrl: '',
  }
}

export const currencyOf = (
  chainId: TokenBalance['chainId'],
  symbol: string,
  numeric: string,
): readonly TokenBalance[] => [{ ...token(symbol, symbol, numeric, 0), chainId }]

const ether = token('Ether', 'ETH', '1.204', 3_241.2)

export const fewTokens: readonly TokenBalance[] = [
  ether,
  token('USD Coin', 'USDC', '250', 1, '0x01'),
  token('Saltmarsh', 'SALT', '18250.5', 0, '0x02'),
  token('Harbor Staked Ether', 'hsETH', '0.0042', 3_400, '0x03'),
]

export const thousandTokens: readonly TokenBalance[] = [
  ether,
  ...Array.from({ length: 999 }, (_, index) =>
    token(`Token ${index + 1}`, `T${index + 1}`, `${index}.5`, 0, `0x${index}`),
  ),
]

export const unlistedTokens: readonly TokenBalance[] = [
  ...fewTokens.slice(0, 2),
  { ...token('Visit claim-usdc.example to redeem', '$ claim-usdc', '5000', 0, '0x06'), listing: 'phishing' },
  { ...token('USD Coin', 'USDC', '12000', 0, '0x07'), listing: 'copy' },
  { ...token('Saltmarsh', 'SALT', '18250.5', 0, '0x02'), listing: 'unlisted' },
]

export const hostileTokens: readonly TokenBalance[] = [
  token(
    '<img src=x onerror=alert(1)>',
    'VISIT-CLAIM-FREE-MONEY.EXAMPLE',
    '123456789012345678901234567890.123',
    0,
    '0x04',
  ),
  token('US\u202eD\u200b Coin\n\n(verified)', '\u2066ETH', '1', 0, '0x05'),
  ether,
]
