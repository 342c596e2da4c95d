/** Sheet and class name: hashes compress badly, and all names are in the first file. */
import path from 'node:path'

export function createScopedNames(): (name: string, file: string) => string {
  const files = new Map<string, string>()
  return (name, file) => {
    const [module = ''] = file.split('?')
    const sheet = path.basename(module, '.module.css')
    const known = files.get(sheet) ?? module
    if (known !== module) throw new Error(`Two style sheets are called ${sheet}: ${known} and ${module}`)
    files.set(sheet, module)
    return `${sheet}-${name}`
  }
}
