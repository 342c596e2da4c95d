import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseInUseError, lockDirectory } from './lock'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-lock-'))
  file = path.join(dir, 'db.lock')
})
afterEach(() => rm(dir, { recursive: true }))

/** The pid of an ended process. */
async function goneProcess(): Promise<number | undefined> {
  const gone = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => gone.once('exit', resolve))
  return gone.pid
}

test('takes over the lock of a process that has ended', async () => {
  await writeFile(file, `${await goneProcess()}\n`)
  const unlock = await lockDirectory(file)
  expect(await readFile(file, 'utf8')).toBe(`${process.pid}\n`)
  await unlock()
  expect(await readdir(dir)).toEqual([])
})

test('of two processes that take over the lock at once, one gets it', async () => {
  await writeFile(file, `${await goneProcess()}\n`)
  let looks = 0
  async function read(from: string): Promise<string> {
    const text = await readFile(from, 'utf8')
    looks += 1
    // Another process takes the lock after the first read.
    if (looks === 1) await writeFile(file, `${process.ppid}\n`)
    return text
  }
  await expect(lockDirectory(file, read)).rejects.toThrow(DatabaseInUseError)
  expect(await readFile(file, 'utf8')).toBe(`${process.ppid}\n`)
  expect(await readdir(dir)).toEqual(['db.lock'])
})
