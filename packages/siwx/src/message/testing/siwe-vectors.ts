/**
 * Invalid vectors are given as a change to a valid text.
 * Source: https://github.com/spruceid/siwe (test/parsing_positive.json, parsing_negative.json, invalid_uris.json)
 */
import type { SignInMessage } from '../../types'

const terms = 'I accept the ServiceOrg Terms of Service: https://service.org/tos'

const plain = {
  domain: 'service.org',
  accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  statement: terms,
  uri: 'https://service.org/login',
  version: '1',
  chainId: 'eip155:1',
  nonce: '32891757',
  issuedAt: '2021-09-30T16:25:24.000Z',
} as const

const plainText = `service.org wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

${terms}

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 32891757
Issued At: 2021-09-30T16:25:24.000Z`

const silentText = plainText.replace(`\n${terms}\n`, '\n')
const { statement: _, ...silent } = plain

const full = {
  ...plain,
  accountAddress: '0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946',
  nonce: '12341234',
  issuedAt: '2022-03-17T12:45:13.610Z',
  expirationTime: '2023-03-17T12:45:13.610Z',
  notBefore: '2022-03-17T12:45:13.610Z',
  requestId: 'some_id',
  resources: ['https://service.org/login'],
}

const fullText = `service.org wants you to sign in with your Ethereum account:
0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946

${terms}

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 12341234
Issued At: 2022-03-17T12:45:13.610Z
Expiration Time: 2023-03-17T12:45:13.610Z
Not Before: 2022-03-17T12:45:13.610Z
Request ID: some_id
Resources:
- https://service.org/login`

const authorities = ['127.0.0.1', 'test@127.0.0.1', '127.0.0.1:8080', 'test@127.0.0.1:8080']

export const validTexts: Readonly<Record<string, { readonly text: string; readonly fields: SignInMessage }>> = {
  'no optional field': { text: plainText, fields: plain },
  'no statement': { text: silentText, fields: silent },
  'couple of optional fields': {
    text: `${plainText}\nResources:\n- ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu\n- https://example.com/my-web2-claim.json`,
    fields: {
      ...plain,
      resources: ['ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu', 'https://example.com/my-web2-claim.json'],
    },
  },
  'timestamp without microseconds': {
    text: plainText.replace('.000Z', 'Z'),
    fields: { ...plain, issuedAt: '2021-09-30T16:25:24Z' },
  },
  'every field': { text: fullText, fields: full },
  ...Object.fromEntries(
    authorities.map((domain) => [
      `domain is RFC 3986 authority: ${domain}`,
      { text: plainText.replace('service.org', domain), fields: { ...plain, domain } },
    ]),
  ),
}

const at = 'At: 2022-03-17T12:45:13.610Z'
const swapped = (first: string, second: string) => fullText.replace(`${first}\n${second}`, `${second}\n${first}`)
const notIso = 'Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)'

const uris = [
  'uri://[::0.0.0.256]/p/path',
  'uri://[::300.0.0.0]/p/path',
  'uri://[::0.ff.0.255]',
  'uri://[::0.0.256.0]',
  'uri://[ffff:abcd:0:10:200:3000:f8a:1:ffff]',
  'uri://[ffff:abcd:0:10:200:3000:f8a]',
  'uri://[ffff:abcd:0:10:200:3000:ff:255.255.255.255]',
  'uri://[::1:2:3:4:5:6:7:8]',
  'uri://[::1:2:3:4:5:6:198.162.10.255]',
  'uri://[1:2:3:4:5:6:7:8::]',
  'uri://[1:2:3:4:5:6::198.162.10.255]',
  'uri://[1:2:3:4:5::6:7:8]',
  'uri://[1:2:3:4:5::6:198.162.10.255]',
  '://user:pass@example.com:123/one/two.three?q1=a1&q2=a2#body',
  'uri://user:pass@example.com:123/one/two.three ?q1=a1&q2=a2#body',
  'uri://user:pass@example.com:123/one/two.three?q1=a1&q2=a2 #body',
  '_not_a_rfc3986_valid_uri_',
]

export const invalidTexts: Readonly<Record<string, string>> = {
  'missing domain': fullText.replace('service.org', ''),
  'missing address': fullText.replace(full.accountAddress, ''),
  'missing uri': fullText.replace('URI: https://service.org/login', ''),
  'missing version': fullText.replace('Version: 1', ''),
  'missing chainId': fullText.replace('Chain ID: 1', ''),
  'missing nonce': fullText.replace('Nonce: 12341234', ''),
  'missing issuedAt': fullText.replace(`Issued ${at}`, ''),
  'extra line breaks': fullText.replace(terms, `\n${terms}`),
  'statement has line break': fullText.replace('Service: ', 'Service: \n'),
  'out of order uri': swapped('URI: https://service.org/login', 'Version: 1'),
  'out of order version': swapped('Version: 1', 'Chain ID: 1'),
  'out of order chainId': swapped('Chain ID: 1', 'Nonce: 12341234'),
  'out of order nonce': swapped('Nonce: 12341234', `Issued ${at}`),
  'out of order issuedAt': swapped(`Issued ${at}`, 'Expiration Time: 2023-03-17T12:45:13.610Z'),
  'out of order expirationTime': swapped(
    'Expiration Time: 2023-03-17T12:45:13.610Z',
    'Not Before: 2022-03-17T12:45:13.610Z',
  ),
  'out of order notBefore': swapped('Not Before: 2022-03-17T12:45:13.610Z', 'Request ID: some_id'),
  'out of order requestId': swapped('Request ID: some_id', 'Resources:\n- https://service.org/login'),
  'address not EIP-55': fullText.replace(full.accountAddress, full.accountAddress.toLowerCase()),
  'wrong version': fullText.replace('Version: 1', 'Version: 2'),
  'not a valid chainId': fullText.replace('Chain ID: 1', 'Chain ID: ?'),
  'nonce with less then 8 chars': fullText.replace('12341234', '1234567'),
  'non-ISO 8601 issuedAt': fullText.replace(`Issued ${at}`, `Issued At: ${notIso}`),
  'non-ISO 8601 expirationTime': fullText.replace(full.expirationTime, notIso),
  'non-ISO 8601 notBefore': fullText.replace(`Before: ${full.notBefore}`, `Before: ${notIso}`),
  'resources not separated by line break': `${fullText} - https://service.org/login/2`,
  'first resource is not RFC 3986': fullText.replace('- https', '- _not_a_rfc3986_valid_uri_\n- https'),
  'second resource is not RFC 3986': `${fullText}\n- _not_a_rfc3986_valid_uri_`,
  ...Object.fromEntries(uris.map((uri) => [`uri ${uri}`, silentText.replace(plain.uri, uri)])),
}
