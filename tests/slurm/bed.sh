# A Slurm of one node in a scratch folder: munged, slurmctld and slurmd as root, on free ports. To be
# sourced by a test that has $scratch. slurm_start, slurm_stop.
# shellcheck disable=SC2154 # scratch

slurm_missing() {
  local tool
  [[ $(id -u) -eq 0 ]] || { echo "slurmd must run as root" && return; }
  for tool in munged slurmctld slurmd sbatch squeue scontrol; do
    command -v "$tool" >/dev/null || { echo "there is no $tool (Debian: slurmctld slurmd slurm-client munge)" && return; }
  done
}

# free_port FROM: the first port from there on that nobody listens at.
free_port() {
  local port=$1
  while (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    port=$((port + 1))
  done
  echo "$port"
}

# slurm_start CPUS: CPUS may be more than the machine has.
slurm_start() {
  local host
  host=$(hostname -s)
  slurm=$scratch/slurm
  mkdir -p "$slurm/state" "$slurm/spool"
  chmod 711 "$scratch" "$slurm"
  dd if=/dev/urandom of="$slurm/munge.key" bs=128 count=1 status=none
  chmod 400 "$slurm/munge.key"
  slurmctld_port=$(free_port $((20000 + $$ % 20000)))
  slurmd_port=$(free_port $((slurmctld_port + 1)))
  cat >"$slurm/slurm.conf" <<CONF
ClusterName=hoyito
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$slurmctld_port
SlurmdPort=$slurmd_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket,cred_expire=5
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=100000,bf_interval=1
ReturnToService=2
KillWait=10
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$1 RealMemory=20000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$slurm/slurm.conf
  munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
    --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" --seed-file="$slurm/munged.seed" \
    >"$slurm/munged.out" 2>&1 &
  munged_job=$!
  wait_until 10 test -S "$slurm/munge.socket"
  slurmctld -D -f "$slurm/slurm.conf" >"$slurm/slurmctld.out" 2>&1 &
  slurmctld_job=$!
  slurmd -D -f "$slurm/slurm.conf" >"$slurm/slurmd.out" 2>&1 &
  slurmd_job=$!
  wait_until 30 node_is_idle
}

node_is_idle() { [[ $(sinfo -h -o %t 2>/dev/null) == idle ]]; }

# wait_until SECONDS COMMAND…: false when it does not come true.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [[ $SECONDS -lt $end ]] || { echo "not within its time: $*" >&2 && return 1; }
    sleep 0.1
  done
}

# Ends the daemons, the jobs first.
slurm_stop() {
  local job
  [[ -n ${slurm:-} ]] || return 0
  scancel --user=root 2>/dev/null || true
  wait_until 15 no_jobs 2>/dev/null || true
  for job in "${slurmd_job:-}" "${slurmctld_job:-}" "${munged_job:-}"; do
    if [[ -n $job ]]; then
      kill "$job" 2>/dev/null || true
      wait "$job" 2>/dev/null || true
    fi
  done
}

no_jobs() { [[ -z $(squeue -h 2>/dev/null) ]]; }
