/** 256 bits, base64url (43 characters). */
export function randomSecret(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
