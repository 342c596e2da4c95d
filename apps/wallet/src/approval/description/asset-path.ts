export function assetPath(networkId: string, projectId: string): string {
  return `/public/getAssetImage/${encodeURIComponent(networkId)}?projectId=${encodeURIComponent(projectId)}`
}
