export const loadParts = async () => (await import('./parts')).parts
