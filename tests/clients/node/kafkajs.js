// The community's Node client (@kafkajs/confluent-schema-registry) against a running registry: node kafkajs.js URL
// It gives each subject that it registers a level of its own, and sends Protobuf as text.
'use strict'
const { SchemaRegistry, SchemaType, COMPATIBILITY } = require('@kafkajs/confluent-schema-registry')
const { version } = require('@kafkajs/confluent-schema-registry/package.json')
const { Checks, address } = require('./checks')

const host = address()
const checks = new Checks()
const status = error => error.status
// Without retries, or a refused request would be sent once more.
const registry = options => new SchemaRegistry({ host, retry: { retries: 0 } }, options)

const record = (name, ...fields) => ({ type: 'record', name, namespace: 'shop', fields })
const ID = { name: 'id', type: 'long' }
const NOTE = { name: 'note', type: 'string', default: '' }
const TOTAL = { name: 'total', type: 'double' }

async function avro() {
  const first = await registry().register(record('Order', ID))
  const data = await registry().encode(first.id, { id: 7 })
  checks.equal({ ...(await registry().decode(data)) }, { id: 7 }, 'avro: round trip')
  checks.equal((await registry().register(record('Order', ID))).id, first.id, 'avro: register again, the same id')
  const second = await registry().register(record('Order', ID, NOTE))
  checks.equal(await registry().getLatestSchemaId('shop.Order'), second.id, 'avro: evolve, the latest version')
  checks.equal(await registry().getRegistryId('shop.Order', 1), first.id, 'avro: version 1')
  checks.equal(await registry().getRegistryIdBySchema('shop.Order', record('Order', ID)), first.id, 'avro: lookup')
  const newer = await registry().decode(data, { AVRO: { readerSchema: record('Order', ID, NOTE) } })
  checks.equal({ ...newer }, { id: 7, note: '' }, 'avro: old bytes under the new schema')
}

async function avroReferences() {
  const street = record('Street', { name: 'name', type: 'string' })
  const address = record('Address', { name: 'street', type: 'shop.Street' })
  const customer = record('Customer', { name: 'home', type: 'shop.Address' })
  await registry().register(street, { subject: 'street' })
  const to = (name, subject) => [{ name, subject, version: 1 }]
  const text = JSON.stringify
  await registry().register(
    { type: SchemaType.AVRO, schema: text(address), references: to('shop.Street', 'street') }, { subject: 'address' })
  const { id } = await registry().register(
    { type: SchemaType.AVRO, schema: text(customer), references: to('shop.Address', 'address') }, { subject: 'customer' })
  const data = await registry().encode(id, { home: { street: { name: 'Quay' } } })
  const back = await registry().decode(data)
  checks.equal(back.home.street.name, 'Quay', 'avro: round trip, references of references')
}

async function levels() {
  const options = { subject: 'levels', compatibility: COMPATIBILITY.FULL }
  await registry().register(record('Levels', ID), options)
  await registry().register(record('Levels', ID), options)
  const answer = await fetch(`${host}/config/levels`)
  checks.equal(await answer.json(), { compatibilityLevel: 'FULL' }, 'levels: registering sets a level of the subject')
  await checks.refused('levels: another level is wanted', 'ConfluentSchemaRegistryCompatibilityError', e => e.name,
    () => registry().register(record('Levels', ID), { subject: 'levels', compatibility: COMPATIBILITY.NONE }))
}

async function errors() {
  await checks.refused('errors: incompatible', 409, status, () => registry().register(record('Order', ID, TOTAL)))
  await checks.refused('errors: an unknown subject', 404, status, () => registry().getLatestSchemaId('nowhere'))
  await checks.refused('errors: an unknown version', 404, status, () => registry().getRegistryId('shop.Order', 99))
  await checks.refused('errors: an unknown id', 404, status, () => registry().getSchema(999999))
  await checks.refused('errors: a lookup in vain', 'ConfluentSchemaRegistryError', e => e.name,
    () => registry().getRegistryIdBySchema('shop.Order', record('Other', ID)))
}

async function json() {
  const closed = (id, properties, required) =>
    ({ $id: id, type: 'object', properties, required, additionalProperties: false })
  const register = (subject, schema, references) => registry().register(
    { type: SchemaType.JSON, schema: JSON.stringify(schema), references }, { subject })
  const base = 'https://shop.example/'
  await register('json-street', closed(`${base}street.json`, { name: { type: 'string' } }, ['name']))
  await register('json-address', closed(`${base}address.json`, { street: { $ref: `${base}street.json` } }, ['street']),
    [{ name: `${base}street.json`, subject: 'json-street', version: 1 }])
  const references = [{ name: `${base}address.json`, subject: 'json-address', version: 1 }]
  const home = { $ref: `${base}address.json` }
  const customer = (properties, required) => closed(`${base}customer.json`, { home, ...properties }, required)

  const first = await register('json-customer', customer({}, ['home']), references)
  const value = { home: { street: { name: 'Quay' } } }
  const data = await registry().encode(first.id, value)
  checks.equal(await registry().decode(data), value, 'json: round trip, references of references')
  await checks.refused('json: checked two references deep', 'ConfluentSchemaRegistryValidationError', e => e.name,
    () => registry().encode(first.id, { home: { street: {} } }))
  const note = { note: { type: 'string' } }
  const second = await register('json-customer', customer(note, ['home']), references)
  checks.equal(await registry().getLatestSchemaId('json-customer'), second.id, 'json: evolve')
  await checks.refused('json: incompatible', 409, status,
    () => register('json-customer', customer(note, ['home', 'note']), references))
}

const PRICE = `syntax = "proto3";
package shop;
message Price { int64 cents = 1; }
`
const ITEM = `syntax = "proto3";
package shop;
import "shop/price.proto";
message Item { string name = 1; Price price = 2; }
`
const order = more => `syntax = "proto3";
package shop;
import "shop/item.proto";
message Order {
  int32 id = 1;
  repeated Item items = 2;
  map<string, int32> counts = 3;
  ${more}
}
`

async function protobuf() {
  const register = (subject, schema, references) =>
    registry().register({ type: SchemaType.PROTOBUF, schema, references }, { subject })
  const to = file => [{ name: file, subject: file, version: 1 }]
  await register('shop/price.proto', PRICE)
  await register('shop/item.proto', ITEM, to('shop/price.proto'))
  const first = await register('proto-order', order(''), to('shop/item.proto'))
  const value = { id: 7, items: [{ name: 'Tea', price: { cents: 450 } }], counts: { a: 1 } }
  const data = await registry().encode(first.id, value)
  const back = await registry().decode(data)
  checks.equal(JSON.parse(JSON.stringify(back)), { ...value, items: [{ name: 'Tea', price: { cents: '450' } }] },
    'protobuf: round trip, imports of imports')
  const second = await register('proto-order', order('string note = 4;'), to('shop/item.proto'))
  checks.equal(await registry().getLatestSchemaId('proto-order'), second.id, 'protobuf: evolve')
  await checks.refused('protobuf: incompatible', 409, status,
    () => register('proto-order', order('fixed64 note = 4;'), to('shop/item.proto')))
  await checks.refused('protobuf: a reference to nothing', 404, status,
    () => register('proto-lost', order(''), to('shop/nothing.proto')))
}

async function main() {
  console.log(`@kafkajs/confluent-schema-registry ${version}`)
  await checks.run(avro, avroReferences, levels, errors, json, protobuf)
  checks.finish('@kafkajs/confluent-schema-registry')
}

main()
